"""Ours, whatever else is installed under this name: a package is found before a bare folder."""
