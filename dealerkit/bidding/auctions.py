"""Auctions: what their calls show about the four hands, as a condition of the dealer language."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from dealerkit.appearance.card import Card, Shown
from dealerkit.appearance.content import NamedCondition
from dealerkit.appearance.numbers import format_count
from dealerkit.appearance.wording import limit_repr
from dealerkit.arguments import check_name
from dealerkit.bidding.auction_card import CallMeaning, describe_auction
from dealerkit.bidding.calls import (
    PASS,
    close_auction,
    describe_position,
    format_calls,
    parse_auction,
)
from dealerkit.bidding.choices import Choices
from dealerkit.bidding.conditions import move_to_seat
from dealerkit.bidding.factors import Clause, Factor, HandFigures, build_factor, list_clauses
from dealerkit.bidding.systems import System
from dealerkit.bidding.systems import system as find_system
from dealerkit.cards.names import SEATS, seat_number, vulnerability_number
from dealerkit.dealing.predeal import Predeal
from dealerkit.errors import ArgumentError, quote
from dealerkit.formats.auctions import find_contract
from dealerkit.language import nodes
from dealerkit.language.dialects import MODERN
from dealerkit.language.printer import to_text
from dealerkit.runtime.progress import long_work

STATUSES = ("understood", "no context", "not in context", "silent", "forced")
INFERENCES = ("all", "calls")
OPPONENTS = ("active", "silent")


@limit_repr
class Auction(Shown):
    """An auction and what its calls show about the hands; `dealerkit.auction` makes one.

    Parameters
    ----------
    calls, dealer, ours, systems, vulnerable, opponents, inference
        In the form in which `dealerkit.auction` reads them; `ours` is the parity of the calls of the side
        that plays `system`.
    further : str
        A condition besides the calls, see `where`; empty if there is none.

    Attributes
    ----------
    calls : tuple of str
        All calls from the dealer on: ``1C`` to ``7NT``, ``P``, ``X``, ``XX``.
    dealer : str
    system, defence : System
        Systems of the side that the auction is about, and of its opponents.
    side : {"NS", "EW"}
        The side that plays `system`.
    understood : tuple of CallMeaning
        A meaning for each call.

    Examples
    --------
    >>> import dealerkit as dk
    >>> auction = dk.auction("1NT-3NT", dealer="south")
    >>> auction
    <Auction 1NT P 3NT, south deals, 'SAYC'>
    >>> auction.condition_of("south")
    'hcp(south) >= 15 and hcp(south) <= 17 and shape(south, any 4333 + any 4432 + any 5332)'
    """

    def __init__(
        self, calls: tuple[str, ...], dealer: int, ours: int, systems: tuple[System, System],
        vulnerable: int | None, opponents: str, inference: str, further: str = "",
    ) -> None:  # fmt: skip
        self.calls, self.dealer = calls, SEATS[dealer]
        self.system, self.defence = systems
        self.side = "NS" if (dealer + ours) % 2 == 0 else "EW"
        self.further = further
        self._settings = (dealer, ours, systems, vulnerable, opponents, inference, further)
        self.understood, clauses = _understand(calls, dealer, ours, systems, vulnerable, opponents, inference)
        self._factors: dict[int, Factor] = {
            seat: build_factor(clauses[seat])
            for seat in dict.fromkeys((dealer + number) % 4 for number in range(len(calls)))
            if clauses[seat]
        }
        for seat, factor in self._factors.items():
            if factor.figures is None:
                self._raise_impossible(seat)

    def _raise_impossible(self, seat: int) -> None:
        made = [f"{each.call} ({each.text})" if each.text else each.call for each in self.understood
                if each.seat == SEATS[seat] and each.status == "understood"]  # fmt: skip
        raise ArgumentError(
            f"no hand of {SEATS[seat]} makes these calls: {', then '.join(made)}; with inference='calls' "
            "only the meanings of the calls count, not that the earlier lines were rejected"
        )

    def __repr__(self) -> str:
        further = f", where {self.further}" if self.further else ""
        return f"<Auction {format_calls(self.calls)}, {self.dealer} deals, {self.system.title!r}{further}>"

    @property
    def text_of_calls(self) -> str:
        """All calls of the auction as text: ``1NT P 3NT``."""
        return format_calls(self.calls)

    @property
    def not_covered(self) -> tuple[CallMeaning, ...]:
        """The calls from which nothing is inferred because the system does not define them."""
        return tuple(each for each in self.understood if each.status not in ("understood", "silent"))

    @property
    def contract(self) -> str | None:
        """The contract with its declarer, such as ``3NT by south``, if passes follow; None without a bid."""
        closed = ["Pass" if call == PASS else call for call in close_auction(self.calls)]
        contract, declarer = find_contract(closed, SEATS.index(self.dealer))
        return (
            None
            if contract in ("", "Pass")
            else f"{contract.replace('X', 'x')} by {SEATS[seat_number(declarer)]}"
        )

    @property
    def figures(self) -> dict[str, HandFigures]:
        """Shares, points and lengths, by seat, of the hands that the calls say something about."""
        return {
            SEATS[seat]: factor.figures
            for seat, factor in self._factors.items()
            if factor.figures is not None
        }

    @property
    def condition(self) -> str:
        """The condition as text of the dealer language, hand by hand, with a comment for each call."""
        lines: list[str] = []
        is_first = True
        for seat, factor in self._factors.items():
            for number in sorted({clause.number for clause in factor.clauses}):
                meaning = self.understood[number]
                text = f": {meaning.text}" if meaning.text else ""
                lines.append(f"# {SEATS[seat]}, {meaning.call}{text}")
                for clause in factor.clauses:
                    if clause.number == number:
                        lines.append(f"{'' if is_first else 'and '}{print_clause(clause, seat)}")
                        is_first = False
        if self.further:
            lines += ["# besides the calls", f"{'' if is_first else 'and '}({self.further})"]
        return "\n".join(lines) if lines else "1"

    def condition_of(self, seat: int | str) -> str:
        """Return what the calls show about one hand.

        Parameters
        ----------
        seat : int or str

        Returns
        -------
        str
            A condition of the dealer language; 1 if the calls show nothing.
        """
        number = seat_number(seat)
        factor = self._factors.get(number)
        return (
            "1" if factor is None else " and ".join(print_clause(clause, number) for clause in factor.clauses)
        )

    def find_condition(self, predeal: Mapping[str, Any] | None = None) -> tuple[str, list[str]]:
        """Return the condition for hands of which some cards are known, and remarks about them.

        Parameters
        ----------
        predeal : mapping, optional
            Known cards, as for `dealerkit.deal`. If thirteen known cards contradict the calls of a seat,
            nothing is inferred about it.

        Returns
        -------
        condition : str
        remarks : list of str
        """
        factors: dict[int, Factor] = dict(self._factors)
        remarks: list[str] = []
        if predeal:
            known = Predeal.from_mapping(predeal)
            for seat, factor in self._factors.items():
                if known.needs[seat] == 0 and not known.small and not factor.contains(known.masks[seat]):
                    del factors[seat]
                    remarks.append(
                        f"{SEATS[seat]}'s hand would not make its calls by {self.title_of(seat)!r}; the hand "
                        "is known, so nothing is inferred from these calls"
                    )
        clauses = [
            print_clause(clause, seat) for seat, factor in factors.items() for clause in factor.clauses
        ]
        shown = f"{format_calls(self.calls)} by {self.system.title}, {self.dealer} deals"
        if self.further:
            clauses.append(f"({self.further})")
            shown += f", and {self.further}"
        return NamedCondition(" and ".join(clauses) or "1", shown), remarks

    def where(self, condition: str) -> Auction:
        """Return the auction with a further condition on the hands, besides what the calls show.

        Parameters
        ----------
        condition : str
            A condition of the dealer language. `figures` and the card do not take it into account.

        Returns
        -------
        Auction

        Raises
        ------
        ScriptError
            The condition has a mistake.
        ArgumentError
            The text is more than a condition, or none.

        Examples
        --------
        >>> import dealerkit as dk
        >>> auction = dk.auction("1NT P 2C", dealer="south").where("spades(north) == 4")
        >>> set(dk.deal(100, given=auction, seed=1).eval("spades(north)").tolist())
        {4}
        """
        from dealerkit.language.parser import parse_script  # the grammar takes time to load

        added = parse_script(condition, MODERN).single_condition
        if added is None:
            raise ArgumentError(
                f"{quote(condition)} is not a single condition; write one such as 'hcp(south) >= 8'"
            )
        further = to_text(added)
        if self.further:
            further = f"({self.further}) and ({further})"
        return Auction(self.calls, *self._settings[:-1], further)

    def find_choices(self, number: int) -> Choices | None:
        """Return the choices of the player who made a call; None if the system says nothing there.

        Parameters
        ----------
        number : int
            Number of the call, from 0.

        Returns
        -------
        Choices or None
        """
        dealer, ours, systems, vulnerable, *_ = self._settings
        own = None if vulnerable is None else bool(vulnerable >> (dealer + number) % 2 & 1)
        return systems[number % 2 != ours].find_choices(self.calls[:number], own)

    def split_last(self) -> tuple[Auction, Choices, int]:
        """Return the auction before the last call, the choices of its player, and the seat of the player.

        Raises
        ------
        ArgumentError
            The system says nothing there, or does not have the call.
        """
        choices = self.find_choices(len(self.calls) - 1)
        last = self.understood[-1]
        seat = SEATS.index(last.seat)
        if choices is None:
            raise ArgumentError(
                f"{self.title_of(seat)} says nothing {last.position}, so there is no call to choose"
            )
        if last.call not in choices.list_calls():
            raise ArgumentError(describe_unknown_call(last.call, choices, self.title_of(seat)))
        return Auction(self.calls[:-1], *self._settings), choices, seat

    def close(self) -> Auction:
        """Return the auction with the final passes, which show little."""
        closed = close_auction(self.calls)
        return self if closed == self.calls else Auction(closed, *self._settings)

    @property
    def vulnerable(self) -> int | None:
        """The vulnerability, 0..3, or None."""
        return self._settings[3]

    def title_of(self, seat: int) -> str:
        """Return the title of the system that a seat, 0..3, plays."""
        return self.system.title if (seat % 2 == 0) == (self.side == "NS") else self.defence.title

    @property
    def meanings(self) -> Card:
        """The card: what each call shows, and the points and lengths of each hand."""
        title = f"{format_calls(self.calls)}, {self.dealer} deals"
        about = f"{self.system.title} for {self.side}, {self.defence.title} for their opponents."
        if self.further:
            about += f" Further condition, not part of the figures: {self.further}."
        return describe_auction(title, about, self.understood, self.figures, self.list_gaps())

    def list_gaps(self) -> list[str]:
        """Return sentences about the calls from which nothing is inferred."""
        missing = [each for each in self.not_covered if each.status == "no context"]
        sentences = [
            each.describe(self.title_of(SEATS.index(each.seat)))
            for each in self.not_covered
            if each.status != "no context"
        ]
        if missing:
            others = len(missing) - 1
            more = f" and {format_count(others, 'later call')}" if others else ""
            sentences.append(
                f"nothing is inferred from {missing[0].describe('')}{more}: "
                f"the system does not cover {'them' if others else 'it'}"
            )
        return sentences

    def card(self) -> Card:
        """Return `meanings`."""
        return self.meanings


def describe_unknown_call(call: str, choices: Choices, title: str) -> str:
    """Return a message about a call that is not among the choices of a system."""
    return f"{title} has no call {call} there; its calls: {', '.join(choices.list_calls())}"


def print_clause(clause: Clause, seat: int) -> str:
    """Return a clause as an operand of `and`, with parentheses wherever a reader may be in doubt."""
    condition = move_to_seat(clause.condition, seat)
    text = _print_plainly(condition)
    return f"({text})" if isinstance(condition, nodes.Or | nodes.Choice) else text


def _print_plainly(node: nodes.Expression) -> str:
    """Return an expression as text in which each `and` inside an `or` has parentheses."""
    if isinstance(node, nodes.And | nodes.Or):
        word = " and " if isinstance(node, nodes.And) else " or "
        parts = (
            f"({_print_plainly(part)})"
            if isinstance(part, nodes.And | nodes.Or | nodes.Choice)
            else _print_plainly(part)
            for part in node.operands
        )
        return word.join(parts)
    if isinstance(node, nodes.Not):
        text = _print_plainly(node.operand)
        is_call = isinstance(node.operand, nodes.Call)
        return f"not {text}" if is_call else f"not ({text})"
    return to_text(node)


def _understand(
    calls: Sequence[str], dealer: int, ours: int, systems: tuple[System, System], vulnerable: int | None,
    opponents: str, inference: str,
) -> tuple[tuple[CallMeaning, ...], list[list[Clause]]]:  # fmt: skip
    """Return the meaning of each call, and the clauses of each seat."""
    meanings: list[CallMeaning] = []
    clauses: list[list[Clause]] = [[] for _ in range(4)]
    for number, call in enumerate(calls):
        seat = (dealer + number) % 4
        is_theirs = number % 2 != ours
        own = None if vulnerable is None else bool(vulnerable >> seat % 2 & 1)
        choices = systems[is_theirs].find_choices(calls[:number], own)
        fields: dict[str, Any] = {
            "number": number + 1, "seat": SEATS[seat], "call": call,
            "position": describe_position(calls, number),
        }  # fmt: skip
        if is_theirs and call == PASS and opponents == "silent":
            meanings.append(CallMeaning(status="silent", **fields))
            continue
        if choices is None:
            meanings.append(CallMeaning(status="no context", **fields))
            continue
        made = [meaning for meaning in choices.meanings if meaning.call == call]
        if not made:
            status = "forced" if call == PASS and choices.is_forced else "not in context"
            meanings.append(CallMeaning(status=status, calls=tuple(choices.list_calls()), **fields))
            continue
        fields["text"] = "; ".join(dict.fromkeys(meaning.text for meaning in made if meaning.text))
        fields["forcing"] = all(meaning.forcing for meaning in made)
        fields["alert"] = any(meaning.alert for meaning in made)
        meanings.append(CallMeaning(status="understood", **fields))
        clauses[seat] += list_clauses(choices, call, number, inference == "all")
    return tuple(meanings), clauses


@long_work
def auction(
    calls: str | Auction,
    system: str | os.PathLike[str] | System = "sayc",
    dealer: int | str = "north",
    *,
    defence: str | os.PathLike[str] | System = "sayc",
    vulnerable: int | str | None = None,
    opponents: str = "active",
    inference: str = "all",
    strict: bool = False,
) -> Auction:
    """Return what an auction shows about the hands.

    Parameters
    ----------
    calls : str
        The short form, ``"1NT-3NT"`` or ``"1H (1S) 2H"``, has the calls of one side joined by hyphens, those
        of the opponents in brackets, and no passes of the opponents. The full form, ``"1NT P 3NT AP"``, has
        all calls in turn. Values of PBN and LIN are accepted too.
    system : str, os.PathLike or System
        System of the side whose calls are not in brackets; in the full form, of the side that makes the first
        bid.
    dealer : int or str
        The seat that makes the first call, N E S W = 0..3.
    defence : str, os.PathLike or System
        The system of the opponents.
    vulnerable : int or str, optional
        none, NS, EW or both. Without it, contexts that require a vulnerability do not apply.
    opponents : {"active", "silent"}
        "silent" infers nothing from the opponents' passes.
    inference : {"all", "calls"}
        "calls" uses only the meanings of the calls; "all" also uses that no earlier line of the system was
        chosen.
    strict : bool
        Treat a call that the system does not cover as an error.

    Returns
    -------
    Auction
        Accepted as ``given=`` by `run`, `deal`, `probability`, `estimate`, `contracts`, `lead` and `layouts`,
        as ``where=`` by `compare`, and by `Deals.where`.

    Raises
    ------
    ArgumentError
        A call cannot be read or is illegal; no hand makes the calls; with `strict`, a call is not covered.
    ScriptError, FileError
        As for `system`.

    Examples
    --------
    >>> import dealerkit as dk
    >>> auction = dk.auction("1NT-3NT", system="sayc", dealer="south")
    >>> auction.contract
    '3NT by south'
    >>> deals = dk.deal(3, given=auction, seed=1)
    >>> deals.eval("hcp(south) >= 15 and hcp(south) <= 17").tolist()
    [True, True, True]
    """
    if isinstance(calls, Auction):
        return calls
    check_name("opponents", opponents, OPPONENTS)
    check_name("inference", inference, INFERENCES)
    parsed, first, ours = parse_auction(calls, seat_number(dealer))
    systems = find_system(system), find_system(defence)
    vulnerability = None if vulnerable is None else vulnerability_number(vulnerable)
    made = Auction(parsed, first, ours, systems, vulnerability, opponents, inference)
    if strict and made.not_covered:
        raise ArgumentError("; ".join(made.list_gaps()))
    return made
