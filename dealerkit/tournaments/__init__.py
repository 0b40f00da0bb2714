"""Results of tournaments and matches: reading, scoring, rankings, and reports about deals and players."""
