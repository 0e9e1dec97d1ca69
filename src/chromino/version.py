"""The version of the project. It's written here and nowhere else."""

__version__ = "1.0.0"
