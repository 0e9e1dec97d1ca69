"""Bots: programs that see a `View` and choose one of its actions, and nothing else."""

from chromino.bots.simple import simple

__all__ = ["simple"]
