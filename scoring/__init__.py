"""The science of Giza: pure functions on texts, units and scores, with no web framework in them."""

__version__ = "0.1.0"
