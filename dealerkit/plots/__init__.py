"""Plots: functions of a result and an optional matplotlib Axes that return the Axes; none calls show."""
