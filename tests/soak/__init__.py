"""A lab's server under the mixed load of a busy lab, with kills on the way; run by `make soak`."""
