"""A condition that is filled in seat by seat, written in the dealer language and read from it."""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from dealerkit.bidding.auctions import auction
from dealerkit.cards.names import SEATS, SUITS
from dealerkit.errors import ArgumentError, DealerkitError, quote
from dealerkit.language import nodes
from dealerkit.language.dialects import MODERN
from dealerkit.language.parser import parse_script
from dealerkit.language.printer import to_text
from dealerkit.notebook.explorer.holdings import find_holding, parse_holding
from dealerkit.notebook.explorer.numbers import read_count

SYSTEMS = {"sayc": "SAYC", "two-over-one": "2/1", "acol": "Acol", "precision": "Precision"}
SIDES = {"ns": ("north", "south"), "ew": ("east", "west")}
MOST_POINTS = {**dict.fromkeys(SEATS, 37), "ns": 40, "ew": 40}
SHAPES = {"": "any", "balanced": "balanced", "unbalanced": "not balanced"}
_COMPARISON = re.compile(
    rf"(?P<left>(?P<function>hcp|{'|'.join(SUITS)})\((?P<seat>{'|'.join(SEATS)})\)"
    r"(?: \+ hcp\((?P<other>\w+)\))?) (?P<operator>>=|<=|==|>|<) (?P<number>\d+)"
)
_BALANCED = re.compile(rf"(?P<not>not )?balanced\((?P<seat>{'|'.join(SEATS)})\)")
_CARD = re.compile(rf"hascard\((?P<seat>{'|'.join(SEATS)}), (?P<card>\w\w)\)")
_BIDDING = re.compile(
    rf"# (?P<kind>auction (?P<calls>[^\n]+?), dealer (?P<dealer>{'|'.join(SEATS)})"
    rf"|(?P<seat>{'|'.join(SEATS)}) opens (?P<call>\S+)), (?P<system>[\w-]+)\n\((?P<text>[^\n]*)\)(?:\nand )?"
)


@dataclass
class DealCondition:
    """What is filled in about the four hands, and the clauses that no field can show.

    Attributes
    ----------
    values : dict of str to str
        The fields that are not empty: ``north.points.from``, ``south.spades.to``, ``ns.points.from``,
        ``east.shape``, ``west.cards`` (such as ``AS KD``), ``south.spades.holding`` (such as ``AKxx`` or
        ``KQxxx+``), ``north.opens`` (a call), and ``auction`` with ``dealer`` and ``system``.
    others : list of str
        Further clauses in the dealer language.

    Examples
    --------
    >>> condition = DealCondition({"north.points.from": "15", "north.points.to": "17"}, ["fit(NS) >= 8"])
    >>> print(condition.text)
    hcp(north) >= 15
    and hcp(north) <= 17
    and fit(NS) >= 8
    >>> read_condition(condition.text) == condition
    True
    """

    values: dict[str, str] = field(default_factory=dict)
    others: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The condition in the dealer language, one clause per line; empty if all deals meet it.

        Raises
        ------
        ArgumentError
            A field has a value that is not possible; the message names the field.
        ScriptError
            The calls of an auction are not understood, or the system says nothing about them.
        """
        return "\nand ".join([*dict.fromkeys(self._list_clauses()), *self.others])

    def set(self, name: str, value: str) -> None:
        """Fill in a field; an empty value clears it."""
        if value.strip():
            self.values[name] = value.strip()
        else:
            self.values.pop(name, None)

    def _list_clauses(self) -> Iterator[str]:
        get = self.values.get
        system = get("system", "sayc")
        if calls := get("auction"):
            dealer = get("dealer", "north")
            yield write_bidding(f"auction {calls}, dealer {dealer}", calls, dealer, system)
        for seat in SEATS:
            if call := get(f"{seat}.opens"):
                yield write_bidding(f"{seat} opens {call}", call, seat, system)
        for seat in SEATS:
            yield from self._list_bounds(seat, "points", f"hcp({seat})", MOST_POINTS[seat])
            for suit in SUITS:
                yield from self._list_bounds(seat, suit, f"{suit}({seat})", 13)
                if pattern := get(f"{seat}.{suit}.holding"):
                    yield from parse_holding(pattern, f"{seat}'s {suit}").list_clauses(seat, suit)
            if shape := get(f"{seat}.shape"):
                if shape not in SHAPES:
                    raise ArgumentError(f"{seat}'s shape: {quote(shape, 40)}; choose balanced or unbalanced")
                yield f"balanced({seat})" if shape == "balanced" else f"not balanced({seat})"
            yield from self._list_cards(seat)
        for side, (first, second) in SIDES.items():
            yield from self._list_bounds(side, "points", f"hcp({first}) + hcp({second})", MOST_POINTS[side])

    def _list_bounds(self, owner: str, name: str, measure: str, most: int) -> Iterator[str]:
        """Yield the clauses of the two fields "from" and "to" of a range."""
        who = owner.upper() if owner in SIDES else owner
        numbers = []
        for end in ("from", "to"):
            text = self.values.get(f"{owner}.{name}.{end}", "")
            number = read_count(text)
            if text and (number is None or number > most):
                raise ArgumentError(
                    f"{who}: {name} {end} {quote(text, 20)}; give a number from 0 to {most}, or nothing"
                )
            numbers.append(number)
        low, high = numbers
        if low is not None and high is not None and low > high:
            raise ArgumentError(
                f"{who}: {name} from {low} to {high}; the first number is larger, so exchange them"
            )
        if low is not None and low == high:
            yield f"{measure} == {low}"
            return
        if low is not None:
            yield f"{measure} >= {low}"
        if high is not None:
            yield f"{measure} <= {high}"

    def _list_cards(self, seat: str) -> Iterator[str]:
        for card in self.values.get(f"{seat}.cards", "").upper().replace(",", " ").split():
            card = card.replace("10", "T")
            if not re.fullmatch("[AKQJT2-9][SHDC]", card):
                if not re.fullmatch("[SHDC][AKQJT2-9]", card):
                    raise ArgumentError(
                        f"{seat}'s cards: {quote(card, 20)} is not a card; write cards such as AS KD TH"
                    )
                card = card[::-1]
            yield f"hascard({seat}, {card})"


@functools.lru_cache(maxsize=256)  # auctions take most of the time after each entry
def write_bidding(head: str, calls: str, dealer: str, system: str) -> str:
    """Return what an auction shows as a clause, after a comment with the auction and the system.

    Raises
    ------
    ArgumentError, ScriptError
        The calls are not a legal auction, or the system is unknown or says nothing about them.
    """
    if system not in SYSTEMS:  # `auction` would read the file of a path
        raise ArgumentError(f"the system {quote(system, 40)} is unknown; choose one of {', '.join(SYSTEMS)}")
    text, _ = auction(calls, system, dealer).find_condition()
    return f"# {head}, {system}\n({' '.join(text.split())})"


def read_condition(text: str) -> DealCondition:
    """Read a condition into fields; clauses that no field can show are in `DealCondition.others`.

    Raises
    ------
    ScriptError
        The text is not valid in the dealer language.
    ArgumentError
        It is valid, but not a condition alone.

    Examples
    --------
    >>> found = read_condition("hcp(north) > 14 and 5 <= spades(south) and losers(south) <= 7")
    >>> found.values, found.others
    ({'north.points.from': '15', 'south.spades.from': '5'}, ['losers(south) <= 7'])
    """
    found = DealCondition()
    rest = _read_bidding(text.strip(), found)
    if not rest:
        return found
    # The text must be one condition, with or without the word in front; comments alone are no condition.
    script = parse_script(rest, MODERN)
    if not script.statements:
        return found
    condition = script.single_condition
    if condition is None:
        raise ArgumentError("give a condition only, such as hcp(north) >= 15; the explorer adds the actions")
    # Clauses that fields can show, holdings first
    clauses = list(_list_operands(condition))
    understood = _read_holdings([to_text(clause) for clause in clauses], found)
    for clause in clauses:
        text = to_text(clause)
        if text not in understood and not _read_clause(text, found):
            found.others.append(_write_clause(clause))
    return found


def _read_bidding(text: str, found: DealCondition) -> str:
    """Read auctions at the beginning of a text, if their clauses have not been changed; return the rest."""
    while match := _BIDDING.match(text):
        part = match.groupdict()
        calls, dealer = part["calls"] or part["call"], part["dealer"] or part["seat"]
        try:
            written = write_bidding(part["kind"], calls, dealer, part["system"])
        except DealerkitError:
            return text
        if match[0].removesuffix("\nand ") != written:
            return text
        found.values["system"] = part["system"]
        if part["calls"]:
            found.values |= {"auction": calls, "dealer": dealer}
        else:
            found.values[f"{dealer}.opens"] = calls
        text = text[match.end() :]
    return text


def _read_holdings(clauses: list[str], found: DealCondition) -> set[str]:
    """Fill in the holdings that some clauses describe; return these clauses."""
    understood: set[str] = set()
    for seat, suit in itertools.product(SEATS, SUITS):
        if (holding := find_holding(clauses, seat, suit)) is not None:
            found.values[f"{seat}.{suit}.holding"] = str(holding[0])
            understood.update(holding[1])
    return understood


def _list_operands(node: nodes.Expression) -> Iterator[nodes.Expression]:
    if isinstance(node, nodes.And):
        for operand in node.operands:
            yield from _list_operands(operand)
    else:
        yield node


def _write_clause(clause: nodes.Expression) -> str:
    text = to_text(clause)
    return f"({text})" if isinstance(clause, nodes.Or | nodes.Choice) else text


_MIRRORED = {">=": "<=", "<=": ">=", ">": "<", "<": ">", "==": "=="}


def _read_clause(text: str, found: DealCondition) -> bool:
    """Fill in the field of a clause; return False if no field can show it or the field is not empty."""
    turned = re.fullmatch(r"(\d+) (>=|<=|==|>|<) (.+)", text)
    if turned:
        text = f"{turned[3]} {_MIRRORED[turned[2]]} {turned[1]}"
    if match := _BALANCED.fullmatch(text):
        return _fill(found, {f"{match['seat']}.shape": "unbalanced" if match["not"] else "balanced"})
    if match := _CARD.fullmatch(text):
        name = f"{match['seat']}.cards"
        found.values[name] = f"{found.values.get(name, '')} {match['card']}".strip()
        return True
    if (match := _COMPARISON.fullmatch(text)) is None:
        return False
    owner, name = match["seat"], "points" if match["function"] == "hcp" else match["function"]
    if match["other"]:
        sides = [side for side, seats in SIDES.items() if {owner, match["other"]} == {*seats}]
        if not sides or name != "points":
            return False
        owner = sides[0]
    number = int(match["number"])
    ends = {
        ">=": {"from": number}, ">": {"from": number + 1}, "<=": {"to": number}, "<": {"to": number - 1},
        "==": {"from": number, "to": number},
    }[match["operator"]]  # fmt: skip
    if any(not 0 <= value <= (MOST_POINTS[owner] if name == "points" else 13) for value in ends.values()):
        return False
    return _fill(found, {f"{owner}.{name}.{end}": str(value) for end, value in ends.items()})


def _fill(found: DealCondition, values: Mapping[str, str]) -> bool:
    if any(name in found.values for name in values):
        return False
    found.values.update(values)
    return True
