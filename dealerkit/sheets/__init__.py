"""Practice sheets: pages of hands, suit problems and answers, for paper and for telephones."""
