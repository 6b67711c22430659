"""Measurements behind what the documents state about speed; run by `make bench`."""
