"""The statement `level`, and the variables that define hand types for other programs."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from dealerkit.language import nodes
from dealerkit.language.source import ScriptSource, Token
from dealerkit.language.vocabulary import STATEMENTS

MAX_TYPES = 100
_HAND_TYPE, SHARE, _LEVEL_TYPE = "HandType_", "_Share", "LevelType_"


def mark_level_words(tokens: Sequence[Token]) -> None:
    """Mark as keywords `level` before a text, and `share` before a number in this statement.

    Everywhere else both words are names, which no text or number can follow. If the script has no such
    variable, `level` before a word and any `share` in this statement are keywords, too: the parser then
    reports that the name in quotes, or the number, is missing. A number without the word `share` is also
    marked, so that the parser reports it.
    """
    in_level = in_type = False  # in_type: no definition has begun since `level`
    pairs = list(zip(tokens, tokens[1:], strict=False))
    variables = {token.text for token, following in pairs if following.type == "ASSIGN"}
    before_type = {"NAME", "FUNCTION", "SUIT", "SHAPE", "LPAR"}  # what follows a `level` without a text
    # The hand types of a statement end at the next definition.
    for token, following in pairs:
        if token.type != "NAME":
            continue
        is_signed = following.type == "ASSIGN"
        in_type = in_type and (not is_signed or token.text == "share")
        if token.text == "level" and (
            following.type == "STRING" or (following.type in before_type and "level" not in variables)
        ):
            token.type, in_level, in_type = "LEVEL", True, True
        elif token.text == "share" and in_level and (following.type == "NUMBER" or "share" not in variables):
            token.type = "SHARE"
        elif token.text == "share" and in_type and is_signed and not _begins_line(token):
            token.type = "SHARE"  # in `share = 2` after a hand type; the parser reports the sign

    if in_level:
        _mark_numbers(pairs)


def _mark_numbers(pairs: Sequence[tuple[Token, Token]]) -> None:
    """Mark a number after a hand type in the same line as a keyword, so that the parser reports it."""
    in_type = False
    for before, token in pairs:
        in_type = (in_type or before.type == "LEVEL") and token.type not in {*STATEMENTS, "ASSIGN"}
        is_beside = before.type in ("NUMBER", "RPAR", "NAME") and not _begins_line(token)
        if in_type and token.type == "NUMBER" and is_beside:
            token.type = "SHARE"


def _begins_line(token: Token) -> bool:
    text = token.source.text
    return not text[text.rfind("\n", 0, token.start) + 1 : token.start].strip()


def check_level(level: nodes.Level, source: ScriptSource) -> None:
    """Raise ScriptError for too many hand types, an empty or repeated name, or a share not above 0."""
    labels: set[str] = set()
    if len(level.types) > MAX_TYPES:
        place = level.types[MAX_TYPES].place
        raise source.error_at(f"`level` takes at most {MAX_TYPES} hand types", place)
    for level_type in level.types:
        if level_type.label in labels:
            message = f'a second hand type "{level_type.label}"; give it another name, or join both with `or`'
            raise source.error_at(message, level_type.place)
        labels.add(level_type.label)
        if not level_type.label.strip():
            raise source.error_at("a hand type needs a name between the quotes", level_type.place)
        if level_type.share is not None and not 0 < level_type.share.value < math.inf:
            message = "a share must be more than 0; leave out a hand type that should not be dealt"
            raise source.error_at(message, level_type.share.place)


class HandType(NamedTuple):
    """A hand type that a variable defines."""

    name: str  # without its prefix
    variable: str
    share: float  # 1 where no variable sets it


def find_hand_types(definitions: Mapping[str, nodes.Expression]) -> tuple[HandType, ...]:
    """Return the hand types that variables named ``HandType_NAME`` define, with their shares.

    The variable ``HandType_NAME_Share`` is the share of the type NAME; with 0 the type is not dealt.

    >>> from dealerkit.language import parse
    >>> from dealerkit.language.checks import check_script
    >>> text = "HandType_weak = hcp(south) < 8 HandType_game = hcp(south) > 12 HandType_game_Share = 2"
    >>> find_hand_types(check_script(parse(text)).definitions)[1]
    HandType(name='game', variable='HandType_game', share=2.0)
    """
    types = []
    for variable in _names_with(_HAND_TYPE, definitions):
        number = definitions.get(variable + SHARE)
        is_share = isinstance(number, nodes.Number) and number.value >= 0
        share = float(number.value) if is_share else 1.0  # type: ignore[union-attr]
        types.append(HandType(variable.removeprefix(_HAND_TYPE), variable, share))
    return tuple(types)


def find_level_types(definitions: Mapping[str, nodes.Expression]) -> tuple[HandType, ...]:
    """Return the hand types that variables named ``LevelType_NAME`` define, with shares of 1."""
    names = _names_with(_LEVEL_TYPE, definitions)
    return tuple(HandType(name.removeprefix(_LEVEL_TYPE), name, 1.0) for name in names)


def find_misspelled_types(definitions: Mapping[str, nodes.Expression]) -> Iterator[tuple[str, str, str]]:
    """Yield each variable whose name resembles that of a hand type or share, a message, and the right name.

    >>> from dealerkit.language import parse
    >>> from dealerkit.language.checks import check_script
    >>> text = "HandType_weak = hcp(south) < 8 HandType_weak_share = 2 Handtype_slam = hcp(south) > 16"
    >>> for variable, _, meant in find_misspelled_types(check_script(parse(text)).definitions):
    ...     print(variable, meant)
    HandType_weak_share HandType_weak_Share
    Handtype_slam HandType_slam
    """
    for variable in definitions:
        prefix, name = variable[: len(_HAND_TYPE)], variable[len(_HAND_TYPE) :]
        if prefix.casefold() != _HAND_TYPE.casefold() or not name:
            continue
        if not name.casefold().endswith(SHARE.casefold()):
            if prefix != _HAND_TYPE:
                yield variable, f"`{variable}` is not a hand type", _HAND_TYPE + name
            continue
        hand_type = _HAND_TYPE + name[: -len(SHARE)]
        if hand_type not in definitions:
            yield variable, f"`{variable}` is not a share, since there is no hand type `{hand_type}`", ""
        elif variable != hand_type + SHARE:
            yield variable, f"`{variable}` is not the share of `{hand_type}`", hand_type + SHARE


def find_type_variables(definitions: Mapping[str, nodes.Expression]) -> set[str]:
    """Return the variables that define hand types or their shares."""
    types = {item.variable for item in (*find_hand_types(definitions), *find_level_types(definitions))}
    return types | {variable + SHARE for variable in types if variable + SHARE in definitions}


def _names_with(prefix: str, definitions: Mapping[str, nodes.Expression]) -> list[str]:
    """Return the variables with a prefix, without those that are shares of others."""
    names = [name for name in definitions if name.startswith(prefix) and name != prefix]
    return [name for name in names if not (name.endswith(SHARE) and name[: -len(SHARE)] in definitions)]
