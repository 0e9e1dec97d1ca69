"""Notifications: a nudge when it's your turn, an invitation, a rematch."""
