"""The judge that reads: its network, what it learns from, and how it is trained."""
