"""Everything that reads labels, scores and gold versions, and what they are made of."""
