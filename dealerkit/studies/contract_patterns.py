"""Contracts whose strain is a suit, notrump, any major, any minor, or the strain that a side plays."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import numpy as np

from dealerkit.cards.names import STRAIN_LETTERS
from dealerkit.errors import ArgumentError, quote
from dealerkit.scoring import SCORINGS, Contract, score_contracts

GROUPS = {"M": (0, 1), "m": (2, 3), "X": (0, 1, 2, 3, 4)}
GROUP_TEXTS = {"M": "a major", "m": "a minor", "X": "any strain"}
LEVELS = {  # level of game, by strain: spades, hearts, diamonds, clubs, notrump
    "partscore": (2, 2, 2, 2, 1),
    "game": (4, 4, 5, 5, 3),
    "small slam": (6, 6, 6, 6, 6),
    "grand slam": (7, 7, 7, 7, 7),
}
_PATTERN = re.compile(r"([1-7])([MmX])(x{0,2})")
CANDIDATES = tuple(LEVELS)
TRICKS = np.arange(14)


class GainResult:
    """What results with gains under a `scoring` have in common."""

    __slots__ = ()
    scoring: str

    @property
    def unit(self) -> str:
        """The unit in which gains are shown: IMPs, points, % of matchpoints."""
        return SCORINGS[self.scoring].unit

    @property
    def scale(self) -> float:
        """The factor by which shown gains are multiplied: matchpoints are shown in per cent."""
        return SCORINGS[self.scoring].scale


@dataclass(frozen=True, slots=True)
class ContractPattern:
    """A contract whose strain may be left open.

    Attributes
    ----------
    level : int, 1 to 7
    strain : str
        ``S H D C N``; ``M`` for the major that is played, ``m`` for the minor, ``X`` for any strain.
    doubled : int
        0, 1 or 2.

    Examples
    --------
    >>> [str(ContractPattern.parse(text)) for text in ("4M", "5mx", "3NT", "2h")]
    ['4M', '5mx', '3NT', '2H']
    """

    level: int
    strain: str
    doubled: int = 0

    @classmethod
    def parse(cls, text: Any) -> ContractPattern:
        """Return the contract of a text: ``4S``, ``3NT``, ``4M``, ``5m``, ``2X``, with ``x`` if doubled.

        Raises
        ------
        ArgumentError
            The text is not a contract.
        """
        if isinstance(text, cls):
            return text
        if isinstance(text, str) and (match := _PATTERN.fullmatch(text.strip())):
            return cls(int(match[1]), match[2], len(match[3]))
        try:
            contract = Contract.of(text)
        except ArgumentError as reason:
            raise ArgumentError(f"{reason}; 4M is four of the major played, 5m five of the minor") from None
        return cls(contract.level, STRAIN_LETTERS[contract.strain], contract.doubled)

    def __str__(self) -> str:
        return f"{self.level}{'NT' if self.strain == 'N' else self.strain}{'x' * self.doubled}"

    @property
    def strains(self) -> tuple[int, ...]:
        """The strains that the contract can have, S H D C N = 0..4."""
        return GROUPS.get(self.strain) or (STRAIN_LETTERS.index(self.strain),)

    @property
    def is_fixed(self) -> bool:
        """Whether the contract has a definite strain."""
        return self.strain not in GROUPS

    @property
    def needed(self) -> int:
        """Number of tricks needed to make the contract."""
        return self.level + 6

    def score_tricks(self, vulnerable: bool) -> np.ndarray:
        """Return the scores in each strain by number of tricks, int64 [5, 14]."""
        strain = np.arange(5)[:, None]
        return score_contracts(self.level, strain, self.doubled, TRICKS, vulnerable)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A contract that a side may bid: of a given level, or the game or slam in the strain that it plays.

    Examples
    --------
    >>> game = Candidate.parse("game")
    >>> str(game), game.levels
    ('game', (4, 4, 5, 5, 3))
    >>> Candidate.parse("3nt").strain
    4
    """

    name: str
    levels: tuple[int, ...]
    pattern: ContractPattern | None = None

    @classmethod
    def parse(cls, text: object) -> Candidate:
        """Return the candidate for ``partscore``, ``game``, ``small slam``, ``grand slam`` or a contract."""
        if isinstance(text, str) and (name := " ".join(text.lower().split())) in LEVELS:
            return cls(name, LEVELS[name])
        pattern = ContractPattern.parse(text)
        return cls(str(pattern), (pattern.level,) * 5, pattern)

    def __str__(self) -> str:
        return self.name

    @property
    def strain(self) -> int | None:
        """Strain of the contract, S H D C N = 0..4; None if it is the strain that the side plays."""
        return self.pattern.strains[0] if self.pattern is not None and self.pattern.is_fixed else None

    def check_strains(self, played: np.ndarray) -> None:
        """Raise ArgumentError if a side plays a strain that the contract cannot have."""
        if self.pattern is None or self.pattern.is_fixed:
            return
        if not np.isin(played, self.pattern.strains).all():
            raise ArgumentError(
                f"{self} needs {GROUP_TEXTS[self.pattern.strain]}, which some sides do not play; give "
                "another strain=, or a candidate such as 'game': 3NT, four of a major or five of a minor"
            )

    def score_table(self, vulnerable: bool) -> np.ndarray:
        """Return scores by strain and tricks, int64 [5, 14]."""
        doubled = 0 if self.pattern is None else self.pattern.doubled
        rows = [
            ContractPattern(level, "SHDCN"[strain], doubled).score_tricks(vulnerable)[strain]
            for strain, level in enumerate(self.levels)
        ]
        return np.stack(rows)


def check_vulnerable(vulnerable: Any) -> bool:
    """Return whether the side is vulnerable, given True or False; raise ArgumentError otherwise."""
    if not isinstance(vulnerable, bool | np.bool_):
        raise ArgumentError(
            f"vulnerable is {quote(vulnerable, 40)}; give True or False, for the side that bids"
        )
    return bool(vulnerable)
