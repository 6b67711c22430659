"""From judgements to labels, scores and gold datasets."""
