"""The parts of plots: style, figures, layout, panels, series of numbers, and the diagram of a deal."""
