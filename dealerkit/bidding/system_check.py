"""What is wrong or doubtful in a system: hidden contexts, lines never chosen, illegal calls, gaps."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from dealerkit.appearance.card import Card, Shown
from dealerkit.appearance.numbers import format_count, format_share
from dealerkit.appearance.table import Column, Table
from dealerkit.appearance.wording import limit_repr
from dealerkit.bidding.calls import CALLS, RANKS, list_legal
from dealerkit.bidding.choices import Choices, Meaning
from dealerkit.bidding.contexts import Item, find_state
from dealerkit.bidding.frequencies import CountedChoices
from dealerkit.bidding.system_file import Context
from dealerkit.statistics import Estimate

Kind = Literal["hidden context", "never chosen", "never legal", "gap", "overlap"]


@dataclass(frozen=True)
class SystemFinding:
    """Something in a system file that its author may not intend.

    Attributes
    ----------
    kind : {"hidden context", "never chosen", "never legal", "gap", "overlap"}
    context : str
        The header of the context.
    line : int
        Line of the file, from 1.
    message : str
    share : float or None
        Share of all hands, for gaps and overlaps.
    """

    kind: Kind
    context: str
    line: int
    message: str
    share: float | None = None


@limit_repr
@dataclass(frozen=True)
class SystemCheck(Shown):
    r"""The findings about a system, which `findings` has as data.

    Attributes
    ----------
    title : str
    n_contexts, n_lines : int
    findings : tuple of SystemFinding
        Mistakes first, then gaps, then overlaps.

    Examples
    --------
    >>> import dealerkit as dk
    >>> check = dk.parse_system("opening\n1C hcp 12+\nP hcp 11-\n1D hcp 40").check()
    >>> [(finding.kind, finding.line) for finding in check.findings]
    [('never chosen', 4)]
    """

    title: str
    n_contexts: int
    n_lines: int
    findings: tuple[SystemFinding, ...]

    @property
    def mistakes(self) -> tuple[SystemFinding, ...]:
        """The findings except overlaps, in which the order of the lines decides."""
        return tuple(finding for finding in self.findings if finding.kind != "overlap")

    def __repr__(self) -> str:
        return f"<SystemCheck {self.title!r}: {format_count(len(self.findings), 'finding')}>"

    def card(self) -> Card:
        """The card: a row for each finding."""
        columns = [
            Column("line", kind="count"), Column("kind", kind="name"), Column("context", kind="name"),
            Column("message", kind="sentence"),
        ]  # fmt: skip
        rows: list[list[Any]] = [[each.line, each.kind, each.context, each.message] for each in self.findings]
        n = len(self.mistakes)
        verdict = f"{format_count(n, 'finding')} to look at." if n else "Nothing is wrong."
        size = f"{format_count(self.n_contexts, 'context')}, {format_count(self.n_lines, 'line')}"
        tables = [Table(columns, rows)] if rows else []
        return Card(self.title, verdict, [size], tables=tables)


ListMeanings = Callable[[Context, dict[str, int]], Sequence[Meaning]]


def check_contexts(
    title: str, contexts: Sequence[Context], list_meanings: ListMeanings, overlaps: bool = False
) -> SystemCheck:
    """Return what is wrong or doubtful in the contexts of a system.

    `list_meanings` returns the meanings of a context for given suits of its letters.
    """
    found = [*_find_hidden(contexts)]
    for context in contexts:
        found += _check_context(context, list_meanings)
    findings: dict[tuple[Any, ...], SystemFinding] = {}
    for finding in found:
        if overlaps or finding.kind != "overlap":
            findings.setdefault((finding.kind, finding.line, finding.message), finding)
    order = {"hidden context": 0, "never legal": 0, "never chosen": 0, "gap": 1, "overlap": 2}
    ordered = sorted(findings.values(), key=lambda each: (order[each.kind], each.line))
    n_lines = sum(len(context.lines) for context in contexts)
    return SystemCheck(title, len(contexts), n_lines, tuple(ordered))


def _find_hidden(contexts: Sequence[Context]) -> Iterator[SystemFinding]:
    for number, context in enumerate(contexts):
        for earlier in contexts[:number]:
            if context.pattern.is_within(earlier.pattern):
                first = f"`{earlier.pattern}` in line {earlier.token.place.line}"
                message = f"{first} comes first and fits all its auctions"
                yield SystemFinding("hidden context", str(context.pattern), context.token.place.line, message)
                break


def _check_context(context: Context, list_meanings: ListMeanings) -> Iterator[SystemFinding]:
    """Yield the findings about the lines of a context, for each choice of suits for its letters."""
    name = str(context.pattern)
    items = context.pattern.items
    has_wildcard = any(item.call in ("?", "*") for item in items)
    is_open = _has_open_end(items)
    legal_lines: set[int] = set()
    reached: set[int] = set()
    unreached: dict[int, str] = {}
    for binding in context.pattern.list_bindings():
        meanings = list_meanings(context, binding)
        seen = context.pattern.fill(binding)
        if seen is None:
            continue
        if has_wildcard:
            # The calls that a wildcard fits are unknown, but those after it are higher than all named bids.
            highest = max((RANKS[call] for _, call in seen if call in RANKS), default=-1)
            legal = frozenset(call for call in CALLS if RANKS.get(call, len(RANKS)) > highest)
        else:
            legal = list_legal(find_state(seen))
        choices = Choices(context, tuple(meaning for meaning in meanings if meaning.call in legal))
        counted = CountedChoices.count(choices)
        about = f" ({context.pattern.describe(binding)})" if binding else ""
        legal_lines |= {meaning.line.token.place.line for meaning in choices.meanings}
        missed = {meaning.line.token.place.line: reason for meaning, reason in counted.list_unreached()}
        reached |= {
            meaning.line.token.place.line
            for position, meaning in enumerate(choices.meanings)
            if (counted.chosen == position).any() or (is_open and _is_reached_higher(counted, position))
        }
        unreached |= missed
        gap = counted.measure(counted.chosen == -1)
        if gap.value:
            message = f"{_name_share(gap)} of hands have no call{about}; the last line may be: P otherwise"
            yield SystemFinding("gap", name, context.token.place.line, message, gap.value)
        for overlap in counted.list_overlaps():
            both = f"{overlap.call} and {overlap.other}{about}"
            message = f"{_name_share(overlap.share)} of hands meet {both}: they bid {overlap.call}"
            yield SystemFinding("overlap", name, context.token.place.line, message, overlap.share.value)
    for line in context.lines:
        number = line.token.place.line
        if number not in legal_lines:
            yield SystemFinding("never legal", name, number, f"{line.item} is not legal after these calls")
        elif number in unreached and number not in reached:
            yield SystemFinding("never chosen", name, number, f"{line.item}: {unreached[number]}")


def _has_open_end(items: Sequence[Item]) -> bool:
    """Return whether any call can be the last bid: a wildcard comes after all named bids."""
    last = max((k for k, item in enumerate(items) if item.letter or item.call in RANKS), default=-1)
    return any(item.call in ("?", "*") for item in items[last + 1 :])


def _is_reached_higher(counted: CountedChoices, position: int) -> bool:
    """Return whether some hand chooses a line after a bid so high that no lower call is legal."""
    calls = [meaning.call for meaning in counted.choices.meanings]
    rank = RANKS.get(calls[position], len(RANKS))
    left = counted.truth[position].copy()
    for call, truth in zip(calls[:position], counted.truth, strict=False):
        if RANKS.get(call, -1) >= rank or call == calls[position]:
            left &= ~truth
    return bool(left.any())


def _name_share(share: Estimate) -> str:
    """Return a share of hands as it is written in a sentence."""
    return format_share(share.value, share.lo, share.hi, exact=share.exact, ascii=True).value
