"""Where deals come from: the uniform stream, conditional sampling, the classic streams, and predealt cards."""
