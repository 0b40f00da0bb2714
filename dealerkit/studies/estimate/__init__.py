"""Means, shares, quantiles and ratios over populations of deals, estimated as precisely as requested."""
