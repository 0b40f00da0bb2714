"""Drawing primitives of plots: the style, figures, panels, series of numbers, a deal; for results."""
