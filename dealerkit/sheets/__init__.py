"""Practice sheets: pages of hands and answers, for paper and for telephones."""
