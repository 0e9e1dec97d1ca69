"""`python -m chromino` is the `chromino` command."""

from chromino.cli import main

main()
