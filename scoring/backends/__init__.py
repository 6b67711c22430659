"""What needs a heavy library; loaded late, by name."""
