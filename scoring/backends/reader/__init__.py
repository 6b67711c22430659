"""The judge that reads: its network, what it learns from, and how it is trained."""

from scoring.backends.reader.judge import load

__all__ = ["load"]
