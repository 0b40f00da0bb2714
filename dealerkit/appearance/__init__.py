"""What all output shares, in text, HTML and charts: how numbers are written, colours, the style sheet."""
