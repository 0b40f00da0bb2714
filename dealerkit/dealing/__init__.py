"""Where deals come from: uniform dealing, conditional sampling, the classic streams, predealt cards."""
