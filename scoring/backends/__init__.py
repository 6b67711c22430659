"""The only place that imports heavy libraries. Each backend is loaded late, by name."""
