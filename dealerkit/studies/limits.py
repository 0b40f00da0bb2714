"""When studies end: limits by the caller, and warnings about few deals, much time and an early end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from dealerkit.appearance.numbers import format_count
from dealerkit.appearance.wording import format_duration
from dealerkit.arguments import check_optional_integer, check_positive
from dealerkit.errors import ArgumentError, CostWarning, Parameter, SmallSample, TruncatedRun, warn_caller

MIN_DEALS = 30  # with fewer an interval is only approximate
STATED_SECONDS = 60  # a longer study announces its duration
MAX_SECONDS = 86_400  # a study that takes longer needs a limit
INTERRUPT = "it was interrupted"


@dataclass(frozen=True)
class StudyLimits:
    """Limits of a study, set by the caller; None: no limit.

    Parameters
    ----------
    max_seconds : float > 0, optional
    max_solves : int >= 1, optional

    Raises
    ------
    ArgumentError
        A limit is out of range.
    """

    max_seconds: float | None = None
    max_solves: int | None = None

    def __post_init__(self) -> None:
        if self.max_seconds is not None:
            check_positive("max_seconds", self.max_seconds, 60)
        check_optional_integer("max_solves", self.max_solves, 1)


NO_LIMITS = StudyLimits()


def check_end(precision: Any, produce: Any, minimum: int = 1) -> int | None:
    """Return the number of deals `produce`; raise ArgumentError if `precision` is given too.

    It also raises if one of them is out of range.

    >>> check_end(None, 100)
    100
    """
    if precision is not None:
        check_positive("precision", precision, 0.1)
    if produce is not None and precision is not None:
        raise ArgumentError(
            "give ", Parameter("precision="), " or ", Parameter("produce="),
            ", not both: either one decides when the study ends",
        )  # fmt: skip
    return check_optional_integer("produce", produce, minimum)


def state_cost(
    n_deals: int,
    seconds_per_deal: float,
    limits: Sequence[str],
    only_refuse: bool = False,
    is_endless: bool = False,
) -> None:
    """Warn of an unlimited study that takes more than a minute; refuse one that takes more than a day.

    Parameters
    ----------
    n_deals : int
        Number of deals to solve.
    seconds_per_deal : float
    limits : sequence of str
        Names of the parameters that limit the study.
    only_refuse : bool
        Do not warn.
    is_endless : bool
        The number of deals is the largest possible, so that the study is refused.
    """
    seconds = n_deals * seconds_per_deal
    if seconds <= STATED_SECONDS and not is_endless:
        return
    number = format_count(n_deals, "deal") + " or more, too many for one study," * is_endless
    text = f"about {number} must be solved, which takes about {format_duration(1e9 * seconds)}"
    if seconds > MAX_SECONDS or is_endless:
        first, *others = [Parameter(f"{name}=") for name in limits]
        either = [part for other in others for part in (" or ", other)]
        raise ArgumentError(
            f"{text}; give a larger precision, or a limit, ",
            first,
            *either,
            ", which returns the results so far",
        )
    if not only_refuse:
        warn_caller(f"{text}; with twice the precision value it takes a quarter of the time", CostWarning)


def warn_of_few_deals(n_deals: int) -> None:
    """Warn of an interval from fewer than 30 deals."""
    if n_deals < MIN_DEALS:
        text = f"the result is from {n_deals} deals; below {MIN_DEALS} its intervals are approximate"
        warn_caller(text, SmallSample)


def warn_of_early_end(reason: str, n_deals: int) -> None:
    """Warn of a study that ended before it reached its precision."""
    warn_caller(
        f"the study ended early: {reason}; the results from {format_count(n_deals, 'deal')} are valid, but "
        "less precise than requested",
        TruncatedRun,
    )


def warn_of_missing_deals(reason: str, n_deals: int, n_given: int) -> None:
    """Warn of a study of given deals that ended before all of them were solved."""
    warn_caller(
        f"the study ended early: {reason}; it used {format_count(n_deals)} of "
        f"{format_count(n_given, 'deal')}",
        TruncatedRun,
    )
