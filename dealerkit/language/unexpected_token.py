"""A token that the grammar does not accept, and its neighbours."""

from __future__ import annotations

from dealerkit.language.source import ScriptSource, Token

STATEMENTS = {
    "ACTION", "CONDITION", "PREDEAL", "POINTCOUNT", "ALTCOUNT",
    "COUNT", "LEVEL", "SEAT_SETTING", "VULNERABLE", "TITLE",
}  # fmt: skip


class UnexpectedTokenReader:
    """A token that the grammar does not accept, among the tokens of the script.

    Attributes
    ----------
    token, before, after : Token
        The token and its neighbours; tokens without a type where there is none.
    accepted : set of str
        The types of token that the grammar accepts in its place.
    start : int
        Index of the first token that was parsed.
    """

    def __init__(
        self, source: ScriptSource, tokens: list[Token], index: int, accepted: set[str], start: int = 0
    ) -> None:
        self.source, self.tokens, self.index, self.accepted = source, tokens, index, accepted
        self.start, self.rules = start, source.rules
        absent = Token("", "", len(source.text.rstrip()), len(source.text.rstrip()), source)
        self.token = tokens[index] if index < len(tokens) else absent
        self.before = tokens[index - 1] if index else absent
        self.after = tokens[index + 1] if index + 1 < len(tokens) else absent

    def find_open_parentheses(self) -> list[int]:
        """Return the indices of the parentheses before the token that are not closed there."""
        indices: list[int] = []
        for index in range(self.start, self.index):
            if self.tokens[index].type == "LPAR":
                indices.append(index)
            elif self.tokens[index].type == "RPAR" and indices:
                indices.pop()
        return indices
