"""Points for cards and shape, fitted to the tricks of solved deals."""
