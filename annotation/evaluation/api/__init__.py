"""REST for labels, gold versions and scores."""
