"""The double-dummy solver of the package, for Pythons without DDS: the same results for the same arguments.

`boards` solves arrays of boards as the library does, `workspace` answers questions about one deal, `search`
is the search in compiled code. It counts sure tricks (`sure_tricks`), remembers patterns of high cards
(`patterns`) and chooses the card to try first (`moves`); `memory` lists its arrays.
docs/explanation/how-deals-are-solved.md describes the ideas and their sources.
"""
