"""Practice sheets: pages of hands to print, or for a phone, with an answer page."""
