"""Every picture. Functions take results and frames and return matplotlib Axes; none calls show."""
