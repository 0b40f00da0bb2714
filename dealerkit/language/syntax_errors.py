"""Messages for syntax errors: the likely mistake at an unexpected token, and its correction."""

from __future__ import annotations

import itertools
import re
from collections.abc import Collection

from lark.exceptions import UnexpectedToken

from dealerkit import registry
from dealerkit.cards.names import RANKS, SEATS
from dealerkit.errors import ScriptError, suggest_name
from dealerkit.language.arguments import describe_arguments
from dealerkit.language.dialects import DIALECTS
from dealerkit.language.signatures import ACTIONS
from dealerkit.language.source import ScriptSource, Token
from dealerkit.language.vocabulary import (
    TOKEN_MEANINGS,
    classify_word,
    is_function,
    list_keyword_tokens,
    list_keywords,
)
from dealerkit.wording import join_words

_OPERANDS = {"NUMBER", "NAME", "LPAR", "NOT", "MINUS", "FUNCTION", "SHAPE"}
_OPERATORS = {"OPERATOR", "PLUS", "MINUS", "EQUAL", "QUESTION"}
_STATEMENTS = {
    "ACTION", "CONDITION", "PREDEAL", "POINTCOUNT", "ALTCOUNT",
    "COUNT", "SEAT_SETTING", "VULNERABLE", "TITLE",
}  # fmt: skip
_ACTIONS = {"ACTION_BARE", "ACTION_CALL", "ACTION_OPTIONAL", "AVERAGE"}
_TOKEN_NAMES = {
    "ANY": "any",
    "ASSIGN": "'='",
    "BRACE": "'{'",
    "CARD": "a card (AS)",
    "COLON": "':'",
    "COMMA": "a comma",
    "CONTRACT": "a contract",
    "DEAL": "deal",
    "DISTRIBUTION": "a shape (5332, 54xx)",
    "EQUAL": "'=='",
    "HOLDING": "cards (SAKQ)",
    "ITEM": "an item of a report",
    "LPAR": "'('",
    "RPAR": "')'",
    "SEAT": "a seat (north, east, south, west)",
    "SIDE": "a side (NS, EW)",
    "STRAIN": "notrump",
    "STRING": 'a text in quotes ("...")',
    "SUIT": "a suit",
    "NUMBER": "a number",
    "PLUS": "'+'",
    "MINUS": "'-'",
}


def build_syntax_error(source: ScriptSource, tokens: list[Token], unexpected: UnexpectedToken) -> ScriptError:
    """Return the error for the token that the grammar does not accept."""
    try:
        accepted: Collection[str] = unexpected.interactive_parser.accepts()
    except AttributeError:
        accepted = unexpected.expected
    positions = (index for index, token in enumerate(tokens) if token is unexpected.token)
    index = next(positions, len(tokens))  # the token at the end is lark's
    return _UnexpectedToken(source, tokens, index, set(accepted)).find_mistake()


class _UnexpectedToken:
    """A token that the grammar does not accept, and its neighbours."""

    def __init__(self, source: ScriptSource, tokens: list[Token], index: int, accepted: set[str]) -> None:
        self.source, self.tokens, self.index, self.accepted = source, tokens, index, accepted
        self.rules = source.rules
        absent = Token("", "", len(source.text.rstrip()), len(source.text.rstrip()), source)
        self.token = tokens[index] if index < len(tokens) else absent
        self.before = tokens[index - 1] if index else absent
        self.after = tokens[index + 1] if index + 1 < len(tokens) else absent

    def find_mistake(self) -> ScriptError:
        """Return the error for the first of the known mistakes that matches."""
        for match_mistake in (
            self._match_missing_parentheses, self._match_early_end, self._match_unknown_function,
            self._match_setting, self._match_cards, self._match_equals_sign, self._match_misspelt_word,
            self._match_parentheses, self._match_comma,
        ):  # fmt: skip
            error = match_mistake()
            if error is not None:
                return error
        return self.token.error(f"{self._quote(self.token)} was not expected; {self._list_expected()}")

    # ------------------------------------------------------------ known mistakes
    def _match_early_end(self) -> ScriptError | None:
        if self.token.type:
            return None
        if self.source.open and "RPAR" in self.accepted:
            message = "this '(' is never closed; write ')' where it ends"
            return self.source.error_at(message, self.source.open[-1])
        return self.token.error(f"the script ends too early; {self._list_expected()}")

    def _match_unknown_function(self) -> ScriptError | None:
        """Match an undefined name before an open parenthesis."""
        for index in reversed(_find_open_parentheses(self.tokens[: self.index])):
            name = self.tokens[max(index - 1, 0)]
            if name.type == "NAME" and name.text not in self._find_variables():
                return name.error(describe_unknown_function(name.text, self.source))
        return None

    def _find_variables(self) -> set[str]:
        """Return the variables that are defined before the token."""
        pairs = itertools.pairwise(self.tokens[: self.index + 1])
        return {name.text for name, after in pairs if after.type == "ASSIGN"}

    def _match_setting(self) -> ScriptError | None:
        word = self.before if self.before.type != "ASSIGN" else self.tokens[max(self.index - 2, 0)]
        unknown = " (`both` is not known here)" if self.token.text == "both" else ""
        takes = {
            "COUNT": f"a whole number of 0 or more: {word.text} 100",
            "SEAT_SETTING": f"a seat: {word.text} north",
            "TITLE": f'a text in quotes: {word.text} "..."',
            "VULNERABLE": f"none, NS, EW or all{unknown}",
        }.get(word.type)
        if takes is None:
            return None
        hint = suggest_word(self.token.text, SEATS) if word.type == "SEAT_SETTING" else ""
        if not hint and self.before.type == "ASSIGN":
            hint = f"; for a variable choose another name than `{word.text}`"
        return self.token.error(f"`{word.text}` takes {takes}; found {self._quote(self.token)}{hint}")

    def _match_cards(self) -> ScriptError | None:
        token, text = self.token, self.token.text
        if "HOLDING" in self.accepted and "SEAT" not in self.accepted or self.before.type == "HOLDING":
            if token.type == "CARD":
                return token.error(f"in predeal the suit comes first: {text[1]}{text[0]}, not {text}")
            if token.type == "NAME" and re.fullmatch("[CDHSX]?[AKQJTX0-9]{1,14}", text.upper()):
                return token.error(self._describe_holding_mistake(text))
        if token.type == "HOLDING" and self.before.type == "NUMBER" and self.before.text == "10":
            return self.before.error(f"the ten is written T: T{text}")
        if token.type == "HOLDING" and "CARD" in self.accepted:
            card = f"{text[1]}{text[0]}" if len(text) == 2 else "AS"
            return token.error(f"a card is written with its rank first: {card}, not {text}")
        if self.before.type == "ANY" or re.fullmatch("any[0-9x]{4}", text):
            if token.type == "NAME":
                return token.error("after `any` come a blank and a shape: any 4333")
        if token.type == "NUMBER" and "DISTRIBUTION" in self.accepted and "." not in text:
            return token.error(f"a shape has four digits or x, as 5332 and 54xx; {text[:20]} has {len(text)}")
        return None

    def _describe_holding_mistake(self, text: str) -> str:
        if "10" in text:
            return f"the ten is written T: {text.replace('10', 'T')}"
        if text != text.upper():
            return f"cards are written in capitals: {text.upper()}"
        if text[0] not in "CDHS" or not set(text[1:]) <= set(RANKS):
            return "cards are written with the suit first, then its ranks: SAKQ, HT9"
        ranks = sorted(set(text[1:]), key=RANKS.index, reverse=True)
        return f"ranks are written from the ace down, each once: {text[0]}{''.join(ranks)}"

    def _match_equals_sign(self) -> ScriptError | None:
        token = self.token if self.token.type == "ASSIGN" else self.after
        name = self.before if token is self.token else self.token
        if token.type != "ASSIGN" or not name.type or name.type in ("NAME", "RPAR", "NUMBER"):
            if self.token.type == "ASSIGN":
                return self.token.error("a comparison is written ==; a single '=' defines a variable")
            return None
        if name.text[:1].isalpha() or name.type in TOKEN_MEANINGS:
            meaning = TOKEN_MEANINGS.get(name.type, "a keyword")
            return name.error(f"'{name.text}' is {meaning} and cannot be a variable; choose another name")
        return token.error("a comparison is written ==; a single '=' defines a variable")

    def _match_misspelt_word(self) -> ScriptError | None:
        """Match an undefined name, here or just before, that resembles a keyword or function."""
        joined = self.before.text + self.token.text
        is_word = joined in list_keyword_tokens(self.rules) or is_function(joined, self.rules)
        if is_word and "NAME" in (self.before.type, self.token.type):
            return self.before.error(f"'{joined}' is one word; delete the blank")
        if self.token.type == "NAME" and "NAME" not in self.accepted:
            if self.before.type == "NUMBER" and re.fullmatch("NT?x{0,2}|[CDHS]x{1,2}", self.token.text):
                contract = "x3N, x4Sx" if self.rules.extensions else "x3N"
                return self.before.error(f"a contract is written {contract}")
            hint = suggest_word(self.token.text, self._list_candidates())
            return self.token.error(f"unknown word {self._quote(self.token)}{hint}; {self._list_expected()}")
        is_undefined = self.before.type == "NAME" and self.before.text not in self._find_variables()
        if is_undefined and self.token.type != "ASSIGN":
            if hint := suggest_word(self.before.text, list_keywords(self.rules)):
                return self.before.error(f"unknown word '{self.before.text[:40]}'{hint}")
        return None

    def _list_candidates(self) -> list[str]:
        """Return the words that the grammar accepts here, or all words if it accepts none."""
        words = list_keywords(self.rules)
        fitting = [word for word in words if classify_word(word, self.rules)[0] in self.accepted]
        return fitting or words

    def _match_missing_parentheses(self) -> ScriptError | None:
        """Match a function or action without its parentheses, perhaps after a label."""
        word, token = self.before, self.token
        if word.type == "STRING" and self.index > 1:
            word, token = self.tokens[self.index - 2], word
        takes_parenthesis = word.type in ("FUNCTION", "ACTION_CALL") and "LPAR" in self.accepted
        if not takes_parenthesis or self.token.type == "ASSIGN":
            return None
        if word.type == "ACTION_CALL":
            usage = describe_arguments(word.text, ACTIONS[word.text].arguments)
        elif function := registry.find_function(word.text):
            usage = describe_arguments(word.text, function.arguments)
        else:
            usage = f"{word.text} is a function"
        return token.error(f"{usage} in parentheses: {word.text}(...)")

    def _match_parentheses(self) -> ScriptError | None:
        token, before = self.token, self.before
        if before.type == "SUIT" and self.accepted == {"LPAR"}:
            return token.error(f"a suit takes a seat: {before.text}(north)")
        if token.type == "RPAR" and not _find_open_parentheses(self.tokens[: self.index]):
            return token.error("this ')' closes nothing; delete it or write '(' before")
        return None

    def _match_comma(self) -> ScriptError | None:
        word = self.token.text
        if self.token.type not in _ACTIONS:
            return None
        if "COMMA" in self.accepted:
            return self.token.error(f"actions are separated by commas; write a comma before `{word}`")
        if "ACTION" in self.accepted:
            return self.token.error(f"actions are written after the word `action`: action {word}")
        return None

    # ------------------------------------------------------------ descriptions
    def _quote(self, token: Token) -> str:
        special = {"": "the end of the script", "STRING": "a text", "BRACE": "'{'"}
        return special.get(token.type, f"'{token.text[:40]}'")

    def _list_expected(self) -> str:
        """Return what the grammar accepts here, in words."""
        accepted, words = set(self.accepted), []
        if accepted >= _OPERANDS:
            words.append("an expression")
            accepted -= _OPERANDS | {"SUIT"}
            if accepted >= {"SEAT", "CARD", "CONTRACT"}:
                return "an expression, a seat, a suit or another argument was expected here"
        if accepted >= {"OPERATOR", "QUESTION"}:
            words.append("an operator")
            accepted -= _OPERATORS
        if accepted & _STATEMENTS:
            words.append("a new statement")
            accepted -= _STATEMENTS | _OPERANDS | {"SUIT"}
            words = [word for word in words if word != "an expression"]
        if accepted & _ACTIONS:
            words.append("an action")
            accepted -= _ACTIONS
        words += sorted(_TOKEN_NAMES[kind] for kind in accepted if kind in _TOKEN_NAMES)
        if not words:
            return "nothing more was expected"
        return f"{join_words(words, 'or')} was expected here"


def _find_open_parentheses(tokens: list[Token]) -> list[int]:
    """Return the indices of the parentheses that no token closes."""
    indices: list[int] = []
    for index, token in enumerate(tokens):
        if token.type == "LPAR":
            indices.append(index)
        elif token.type == "RPAR" and indices:
            indices.pop()
    return indices


def describe_unknown_function(name: str, source: ScriptSource) -> str:
    """Return the message about a call of a function or action that does not exist."""
    rules = source.rules
    elsewhere = [
        other.name
        for other in DIALECTS.values()
        if other.name != rules.name and (name in list_keyword_tokens(other) or is_function(name, other))
    ]
    if elsewhere:
        return f"'{name}' is not known in {rules.name}; it is in {' and '.join(elsewhere)}"
    words = [word for word in list_keywords(rules) if is_function(word, rules) or word in ACTIONS]
    words += [word for word, (kind, _) in list_keyword_tokens(rules).items() if kind == "SUIT"]
    return f"unknown function '{name[:40]}'{suggest_word(name, words)}"


def suggest_word(word: str, words: Collection[str]) -> str:
    """Return `suggest_name` for words of at most 40 letters."""
    return suggest_name(word, words) if len(word) <= 40 else ""
