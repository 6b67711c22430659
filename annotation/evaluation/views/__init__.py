"""Pages of labels, gold versions and scores."""
