"""The appearance of all output: how text, HTML, LaTeX and charts show numbers, tables and colours."""
