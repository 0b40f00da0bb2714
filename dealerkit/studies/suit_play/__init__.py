"""Single-dummy play of a suit: the best lines in words, and comparisons of lines."""
