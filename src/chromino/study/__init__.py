"""Studies: bots play many games against each other, to answer questions about the game."""
