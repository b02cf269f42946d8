"""Keys and values of the positions a model has already seen."""
