"""Results of tournaments and matches: reading, scoring, rankings, what they say about deals and players."""
