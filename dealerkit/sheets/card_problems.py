"""Problems of play and of opening leads from whole deals: what a player sees, and the solution."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from dealerkit.appearance.numbers import format_count
from dealerkit.appearance.wording import join_words
from dealerkit.arguments import check_name
from dealerkit.cards.deals import Deals
from dealerkit.cards.names import RANKS, SEAT_LETTERS, SEATS, card_bit
from dealerkit.cards.text import SUIT_SYMBOLS
from dealerkit.doubledummy.leads import LeadRule, choose_leads, find_distinct_leads, solve_leads
from dealerkit.errors import ArgumentError, Parameter
from dealerkit.formats.auctions import count_passes, find_contract, name_card, parse_card
from dealerkit.scoring import Contract, parse_declared
from dealerkit.sheets.boards import Board, list_remarks

PROBLEMS = ("play", "lead")


def pose_problems(
    boards: Sequence[Board],
    deals: Deals,
    texts: Mapping[str, Sequence[str]],
    problem: str,
    contract: Any = None,
    lead_rule: LeadRule = "fourth best",
    solve: bool = False,
) -> list[Board]:
    """Return boards that show only what a player sees, each with the whole board as its solution.

    Parameters
    ----------
    boards : sequence of Board [n]
        The whole boards.
    deals : Deals [n]
        Their deals.
    texts : mapping of str to sequence of str
        Columns of text of the boards, of which `contract`, `declarer` and `lead` are used.
    problem : {"play", "lead"}
        Show declarer's hand, dummy and the opening lead, or the hand of the opening leader.
    contract : str, optional
        The contract of all boards with its declarer; None: that of each board's text or auction.
    lead_rule : str or callable
        Rule for opening leads that are not in the texts, as for `choose_leads`.
    solve : bool
        Whether solutions have declarer's double-dummy tricks after the lead, or after each lead.

    Raises
    ------
    ArgumentError
        An argument is not valid, or a board has no contract to play.
    """
    is_play = check_name("problem", problem, PROBLEMS) == "play"
    posed = []
    for row, board in enumerate(boards):
        known = {
            name: (texts[name][row] or "").lstrip("^") if name in texts else ""
            for name in ("contract", "declarer", "lead")
        }
        played, declarer = _find_contract(board, known, contract)
        leader = (declarer + 1) % 4
        hands = np.ascontiguousarray(deals.hands[row : row + 1])
        said = {"contract": str(played), "declarer": SEAT_LETTERS[declarer]}
        if is_play:
            text = known["lead"] if contract is None else ""
            suit, rank = _find_lead(text, hands[:, leader], played.strain, lead_rule)
            said["lead"] = name_card(suit * 13 + rank)
        remarks = list_remarks(said)
        # The solution
        more = ""
        if solve:
            tricks = 13 - solve_leads(hands, played, np.array([declarer]))[0]
            taken = (
                format_count(int(tricks[suit, rank]), "trick")
                if is_play
                else _list_tricks(tricks, hands[:, leader])
            )
            more = f"Double dummy, {SEATS[declarer].capitalize()} takes {taken}."
        solution = replace(board, calls=(), remarks=(*remarks, more) if more else remarks)
        # What the player sees
        calls = board.calls if contract is None else ()
        if calls:
            calls += (("Pass", ""),) * count_passes([call for call, _ in calls])
        shown = (declarer, (declarer + 2) % 4) if is_play else (leader,)
        posed.append(
            replace(
                solution,
                hands=tuple(hand if seat in shown else () for seat, hand in enumerate(board.hands)),
                points=tuple(count if seat in shown else None for seat, count in enumerate(board.points)),
                answer=None,
                calls=calls,
                remarks=remarks,
                solution=solution,
            )
        )
    return posed


def _find_contract(board: Board, known: Mapping[str, str], contract: Any) -> tuple[Contract, int]:
    """Return contract and declarer of a board: those given, of its texts, or of its auction."""
    if contract is None:
        text, declarer = known["contract"], known["declarer"]
        if not text or not declarer:
            text, declarer = find_contract([call for call, _ in board.calls], board.dealer, played=True)
        contract = f"{text} by {declarer}" if declarer else "pass"
    try:
        declared = parse_declared(contract)
    except ArgumentError as error:
        raise ArgumentError(str(error).partition(", or give ")[0]) from None  # here is no argument declarer=
    if declared.contract is None or declared.declarer is None:
        raise ArgumentError(
            f"board {board.number} has no contract to play; give one for all boards, such as ",
            Parameter("contract=", "4S by south"),
        )
    return declared.contract, declared.declarer


def _find_lead(text: str, leader: np.ndarray, strain: int, lead_rule: LeadRule) -> tuple[int, int]:
    """Return suit and rank of the opening lead: that of the text, or the one of the rule."""
    card = parse_card(text)
    if card >= 0:
        suit, rank = divmod(card, 13)
        if int(leader[0]) & card_bit(suit, rank):
            return suit, rank
    _, suits, ranks = choose_leads(leader, strain, lead_rule)
    return int(suits[0]), int(ranks[0])


def _list_tricks(tricks: np.ndarray, leader: np.ndarray) -> str:
    """Return declarer's tricks after each lead, the best leads first."""
    leads: dict[int, list[str]] = {}
    _, *columns, _ = find_distinct_leads(leader)
    for suit, rank, length in zip(*(column.tolist() for column in columns), strict=True):
        cards = "".join(RANKS[rank - k] for k in range(length))
        leads.setdefault(int(tricks[suit, rank]), []).append(SUIT_SYMBOLS[suit] + cards)
    return "; ".join(
        f"{format_count(count, 'trick')} after {'any lead' if len(leads) == 1 else join_words(cards, 'or')}"
        for count, cards in sorted(leads.items())
    )
