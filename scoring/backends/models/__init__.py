"""Models that come with Giza, as JSON."""
