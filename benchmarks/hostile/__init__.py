"""The server under attack, and on a large database: `make hostile`."""
