"""The result of a study of contracts: its estimates, frames and card."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from dealerkit.appearance.card import Card, Shown
from dealerkit.appearance.content import (
    Chart,
    Code,
    Note,
    Place,
    format_quantity,
    join_sentences,
    show_condition,
)
from dealerkit.appearance.drawings import TRICKS_KEY, Difference, Rate, TrickColumns
from dealerkit.appearance.numbers import format_count, format_level, format_number
from dealerkit.appearance.table import Column, Quantity, Table
from dealerkit.appearance.wording import join_words, shorten
from dealerkit.errors import ArgumentError, Parameter, suggest_name
from dealerkit.scoring import SCORINGS, Scoring, describe_leaders
from dealerkit.statistics import Estimate
from dealerkit.studies.contracts.plot import plot_contracts
from dealerkit.studies.contracts.tables import ContractTables, TrickShares
from dealerkit.studies.estimate.real_play import SOURCE
from dealerkit.studies.tables.break_even import break_even

if TYPE_CHECKING:
    import pandas as pd

NAME_LENGTH = 40
BEATEN = 3  # index of the column of contracts beaten, which is left out if none is defended
DEFENCE_KEY = (
    "Filled columns make or beat the contract, open ones do not; bold is the number of tricks needed."
)


@dataclass(frozen=True, eq=False, repr=False)
class ContractStudy(ContractTables, Shown):
    """Contracts and strategies compared on the same deals, as `dealerkit.contracts` returns them.

    Attributes
    ----------
    outcomes : dict of (str, str) to Outcome
        By contract or strategy and vulnerability: the estimates `makes`, `beaten`, `tricks` and `score`, and
        numbers of deals.
    gains, second_gains : dict of (str, str) to Estimate
        By contract or strategy and vulnerability, without `against`: the mean gain per deal in the unit of
        the scoring; `second_gains` has the same in points, or in IMPs if the scoring is points. Empty if
        nothing is compared. For three or more without `against`, it is the gain over the best of the others,
        with the best contract first.
    pairs : dict of (str, str, str) to Estimate
        By two contracts and vulnerability: the gain of the first over the second. The intervals of all pairs
        at one vulnerability are simultaneous, with the level `confidence`.
    value_outcomes : dict of (str, str, float) to ValueOutcome
        By contract, vulnerability and value of `by`: `deals`, and the estimates `makes`, `beaten` and `gain`.
    frame : DataFrame
        A row for each contract or strategy and vulnerability: `makes`, `tricks`, `score` with the ends `_lo`
        and `_hi` of their intervals, and `beaten` if the other side declares a contract; `deals`, the number
        solved for the rates, and `tricks_deals`, the number for tricks and score. Tricks and scores are those
        of `side`. For strategies, only deals on which not all of them choose the same contract.
    differences : DataFrame or None
        A row for each contract except `against`, and vulnerability: mean `gain` per deal in the unit of the
        scoring, `se`, `lo`, `hi`, `deals`, and `verdict`: ahead, behind or not decided. For gains over the
        best of the others, a contract that is not behind may be the best.
    pair_differences : DataFrame or None
        A row for each of `pairs`, with columns as in `differences`.
    rules : DataFrame or None
        A row for each rule of a strategy: `condition`, `contract`, `deals` to which it applies, and `share`.
    values : DataFrame or None
        A row for each contract, vulnerability and value of `by`: `deals`, `makes` and `gain` with their
        intervals. A contract that the others are compared with, as the first of two, has no gain.
    break_even : dict
        By contract and vulnerability, the `BreakEven` value from which it gains; if all pairs are compared,
        by two contracts, as "3NT by north over 2NT by north".
    deals, differing : int
        Number of deals, and of those on which the strategies choose different contracts.
    side : {"NS", "EW"}
        The side of the first declarer, whose tricks, scores and gains are shown.
    scoring, given, by : str or None
    field : dict of str to float
        Shares of the contracts that all are compared with; empty if all pairs are compared.
    against : str or None
        The only contract of the field, or "the field"; None if all pairs are compared.
    confidence : float
    provenance : Provenance
        Script, seed, arguments, versions and cost.
    reason : str
        Why the study ended before it reached its precision; "" if it did not.
    tricks : dict of str to TrickShares
        How often the side takes each number of tricks; not for strategies with several contracts.
    is_predicted : bool
        Whether the trick model predicts the gains of deals that are not solved.
    second_differences : DataFrame or None
        As `differences`, in points, or in IMPs if the scoring is points: `gain`, `lo`, `hi`, `verdict`, from
        the `deals` whose numbers of tricks are known.

    Examples
    --------
    >>> import dealerkit as dk
    >>> deals = dk.solved_sample()[:10_000].where("hcp(north) + hcp(south) == 25")
    >>> dk.contracts(deals, ["2NT", "3NT"], declarer="north", vulnerable="none")
    <ContractStudy: 494 deals, 3NT by north +1.3 ± 0.4 IMPs over 2NT by north (none)>
    """

    def makes(self, contract: str | None = None) -> Estimate:
        """Return how often a contract of the study's side makes.

        Parameters
        ----------
        contract : str, optional
            Its name as in `frame`, or without the declarer; by default the only contract.

        Raises
        ------
        ArgumentError
            The name is unknown; there are several contracts and no name is given; the side never declares the
            contract.
        """
        name = self._find_name(contract, self.names)
        found = self.outcomes[name, self.states[0]]
        if found.makes is None and found.beaten is not None:
            raise ArgumentError(f"{self.side} defend against {name}; give study.beaten({name!r})")
        if found.makes is None:
            raise ArgumentError(f"{name} bids nothing, so it cannot make")
        return found.makes

    def beaten(self, contract: str | None = None) -> Estimate:
        """Return how often a contract of the other side is beaten.

        Parameters
        ----------
        contract : str, optional
            As for `makes`.

        Raises
        ------
        ArgumentError
            The name is unknown; there are several contracts and no name is given; the other side never
            declares it.
        """
        name = self._find_name(contract, self.names)
        found = self.outcomes[name, self.states[0]]
        if found.beaten is None:
            raise ArgumentError(f"{self.side} never defend with {name}; study.makes is how often it makes")
        return found.beaten

    def difference(
        self, contract: str | None = None, other: str | None = None, vulnerable: str | None = None
    ) -> Estimate:
        """Return the gain of a contract over another, in the unit of the scoring.

        Parameters
        ----------
        contract : str, optional
            Its name as in `differences`; by default the only one.
        other : str, optional
            By default `against`, or the best of the others if all pairs are compared. A vulnerability may be
            given instead.
        vulnerable : str, optional
            By default the only one.

        Raises
        ------
        ArgumentError
            A name is unknown or missing, or nothing is compared.
        """
        if not self.gains:
            raise ArgumentError(
                "a single contract cannot be compared; give another one, or ", Parameter("against=")
            )
        if vulnerable is None and other is not None and other.strip().lower() in map(str.lower, self.states):
            other, vulnerable = None, other
        state = self._find_name(vulnerable, self.states, "vulnerability")
        if other is None:
            name = self._find_name(contract, list(dict.fromkeys(name for name, _ in self.gains)))
            return self.gains[name, state]
        # A pair has an estimate in one direction only
        name, versus = (self._find_name(each, self.names) for each in (contract, other))
        if (name, versus, state) in self.pairs:
            return self.pairs[name, versus, state]
        if (versus, name, state) not in self.pairs:
            raise ArgumentError(
                f"{name} and {versus} are not compared with each other, but with {self.opponent}; leave out ",
                Parameter("against="),
            )
        found = self.pairs[versus, name, state]
        return replace(found, value=-found.value, lo=-found.hi, hi=-found.lo)

    def _find_name(self, name: str | None, names: list[str], kind: str = "contract") -> str:
        """Return one of the names; a contract may be given without its declarer."""
        if name is None:
            if len(names) == 1:
                return names[0]
            raise ArgumentError(f"there are several; give the {kind}: {', '.join(names)}")
        found = [each for each in names if each.lower() == str(name).strip().lower()]
        found = found or [
            each for each in names if each.lower().split(" by ")[0] == str(name).strip().lower()
        ]
        if len(found) != 1:
            close = suggest_name(str(name), names) or f"; one of {', '.join(names)}"
            raise ArgumentError(f"unknown {kind} {name!r}{close}")
        return found[0]

    def to_frame(self) -> pd.DataFrame:
        """Return one table: rates and gains; with `by`, those for each value."""
        if self.values is not None:
            return self.values.reset_index()
        frame = self.frame.reset_index()
        if self.differences is None:
            return frame
        gains = self.differences.drop(columns=["se", "deals"])
        gains = gains.rename(columns={"lo": "gain_lo", "hi": "gain_hi"})
        return frame.join(gains, on=["contract", "vulnerable"])

    def __repr__(self) -> str:
        finding = ""
        if self.gains:
            (name, state), gain = next(iter(self.gains.items()))
            shown = format_quantity(SCORINGS[self.scoring].measure(gain), ascii=True)
            finding = f", {shorten(name, 40)} {shown} over {shorten(self.opponent, 40)} ({state})"
        return f"<ContractStudy: {format_count(self.deals, 'deal')}{finding}>"

    def card(self) -> Card:
        tables = [self._build_rates()]
        if self.gains:
            tables.append(self._build_gains())
        if self.rules is not None:
            tables.append(_build_rules(self.rules))
        if self.value_outcomes:
            names = dict.fromkeys(key[0] for key in self.value_outcomes)
            tables += [self._build_values(name) for name in names if name != self.against]
        tables += [self._build_scores(name, known) for name, known in self.tricks.items()]
        return Card(
            self.title,
            join_sentences(self._describe_verdicts()),
            population=self.provenance.describe(),
            about=self._describe_sample(),
            tables=tables,
            charts=[Chart(show, partial(plot_contracts, self, show=show)) for show in self._list_plots()],
            notes=self._describe_break_even(),
            provenance=self.provenance.list_facts(),
            origin=str(self.provenance),
            short_origin=self.provenance.short_origin,
        )

    def _build_rates(self) -> Table:
        """Return a row for each contract: how often it makes, its tricks and its mean scores."""
        states = self.states
        columns = [
            Column("contract", kind="contract"),
            Column("chance", f"makes{' or beats' * self.has_defended}, 0 to 100 %", "drawing"),
            Column("makes", kind="share", interval="below", missing="–"),
            Column("beaten", kind="share", interval="below", missing="–"),
            Column("distribution", f"number of tricks of {self.side}", "drawing", optional=1),
            Column("tricks", f"{self.side} tricks", interval="below", optional=1, missing="–"),
        ]
        for state in states:
            head = f"{self.side} score" if len(states) == 1 else f"{self.side} score, {state}"
            is_second = int(state != states[0])  # the details below have all
            columns.append(Column(f"score_{state}", head, interval="below", sign=True, optional=is_second))
        rows, lines = [], []
        for name in self.names:
            first, known, marks = (
                self.outcomes[name, states[0]],
                self.tricks.get(name),
                find_marks(self, name),
            )
            success = first.beaten if first.makes is None else first.makes
            chance = None if success is None else Rate(success, [mark for _, mark in marks])
            drawn = None if known is None else TrickColumns(known.shares.tolist(), known.needed)
            scores = [self.outcomes[name, state].score for state in states]
            rates = [first.makes, first.beaten]
            rows.append([shorten(name, NAME_LENGTH), chance, *rates, drawn, first.tricks, *scores])
            if known is not None and marks:
                at = [
                    format_quantity(Quantity(mark, "share", decimals=1))
                    + (f" {state}" if len(marks) > 1 else "")
                    for state, mark in marks
                ]
                lines.append(f"{known.contract} gains over {_find_lower(self, known)} from {join_words(at)}")
        key = [TRICKS_KEY if not self.has_defended else DEFENCE_KEY] if self.tricks else []
        if lines:
            key.append(f"Dashed: {SCORINGS[self.scoring].at} {join_words(list(dict.fromkeys(lines)))}.")
        kept = [k for k in range(len(columns)) if k != BEATEN or self.has_defended]
        heading: Note = ""
        if self.differing < self.deals:
            share = Quantity(self.differing / self.deals, "share", decimals=1)
            deals = format_count(self.differing, "deal")
            heading = (f"On the {deals} where the strategies differ (", share, ")")
        return Table(
            [columns[k] for k in kept], [[row[k] for k in kept] for row in rows], heading, key=" ".join(key)
        )

    def _build_gains(self) -> Table:
        """Return a row for each contract and vulnerability: differences on the same deals."""
        first, second = SCORINGS[self.scoring], SCORINGS[self.second_scoring]
        columns = [
            Column("contract", "", "contract"),
            Column("vulnerable", kind="name"),
            Column("axis", "difference, deal by deal", "drawing"),
            Column("gain", first.unit, interval="below", sign=True, scale=first.scale),
            Column("second_gain", second.unit, interval="below", sign=True, scale=second.scale, optional=1),
        ]
        rows: list[list[Any]] = []
        for (name, state), gain in self.gains.items():
            other = self.second_gains.get((name, state))
            rows.append([shorten(name, NAME_LENGTH), state, Difference(gain, first.scale), gain, other])
        kept = [
            k for k in range(5) if not (k == 1 and len(self.states) == 1) and (k < 4 or self.second_gains)
        ]
        which = ", of all deals" if self.differing < self.deals else ""
        whose = f" of {self.side}" if self.has_defended else ""
        heading = f"Gain{whose} over {shorten(self.opponent, NAME_LENGTH)} per deal{which}"
        return Table([columns[k] for k in kept], [[row[k] for k in kept] for row in rows], heading)

    def _build_values(self, name: str) -> Table:
        """Return a row for each value of `by`: how often a contract and `against` make, and the gain."""
        found = self.value_outcomes
        states = [state for state in self.states if any(key[:2] == (name, state) for key in found)]
        values = [value for each, state, value in found if (each, state) == (name, states[0])]
        # The rates of both contracts, or of the only one
        both = (str(self.against), name)
        names = [each for each in both if (each, states[0], values[0]) in found]
        columns = [Column("value", kind="label"), Column("deals", kind="count", optional=2)]
        cells: list[list[Any]] = [
            [format_number(value, ascii=True) for value in values],
            [found[name, states[0], value].deals for value in values],
        ]
        for each, short in zip(names, self._shorten_names(names), strict=True):
            for rate in ("makes", "beaten"):
                rates = [getattr(found[each, states[0], value], rate) for value in values]
                if any(rate is not None for rate in rates):
                    column = rate if each == name else f"{rate}_against"
                    head = rate if len(names) == 1 else f"{short} {rate}"
                    columns.append(Column(column, head, "share", "within"))
                    cells.append(rates)
        (short,), scale = self._shorten_names([name]), SCORINGS[self.scoring].scale
        for state in states if self.gains else ():
            head = f"gain of {short}" + (f", {state}" if len(states) > 1 else "")
            is_second = int(state != states[0])
            columns.append(
                Column(f"gain_{state}", head, interval="within", sign=True, scale=scale, optional=is_second)
            )
            cells.append([found[name, state, value].gain for value in values])
        heading = (f"{join_words(names)} at each value of ", Code(self.by))
        return Table(columns, list(zip(*cells, strict=True)), heading)

    def _build_scores(self, name: str, known: TrickShares) -> Table:
        """Return the share and the scores of each number of tricks of a contract."""
        states = self.states
        side = self.side
        columns = [Column("tricks", f"{side} tricks", "label"), Column("share", kind="share", decimals=1)]
        columns += [
            Column(
                f"score_{state}",
                f"{side} score" if len(states) == 1 else f"{side} score, {state}",
                sign=True,
                decimals=0,
            )
            for state in states
        ]
        rows = [
            [str(k), share, *(float(points[k]) for points in known.scores)]
            for k, share in enumerate(known.shares.tolist())
            if share
        ]
        return Table(columns, rows[::-1], f"Tricks and scores of {name}", is_detail=True, in_text=False)

    def _describe_sample(self) -> list[Note]:
        """Return sentences about the origin of the numbers."""
        level = f"{format_level(self.confidence)} intervals"
        about: list[Note] = [f"{self.describe_deals()}; {level}."]
        if self.given and self.given.strip() != "1":  # the condition of all deals
            about.append(("Given: ", show_condition(self.given), "."))
        n_pilot = next(iter(self.outcomes.values())).tricks_deals
        if n_pilot not in (self.cost.solved_deals, self.differing):
            about.append(("Tricks and scores are from ", Quantity(n_pilot, "count"), " of the deals."))
        if solved := self.provenance.solved:
            about.append(f"Solved deals: {solved}.")
        if self.provenance.arguments.get("real_play"):
            about.append(f"Corrected for play at the table: {SOURCE}.")
        if (rule := self.provenance.arguments.get("lead_rule")) is not None:
            name = rule if isinstance(rule, str) else getattr(rule, "__name__", "a function")
            about.append(f"The opening lead follows a rule: {name}.")
        if len(self.field) > 1:
            parts: list[str | Quantity] = []
            for name, part in self.field.items():
                parts += [", " if parts else "", Quantity(part, "share", decimals=0), f" {name}"]
            about.append(("The field: ", *parts, "."))
        if len(dict.fromkeys(name for name, _ in self.gains)) > 1:
            about.append("The intervals of all gains at one vulnerability are simultaneous.")
        if self.reason:
            about.append(f"The study ended early: {self.reason}.")
        return about

    def _describe_verdicts(self) -> list[Note]:
        """Return sentences about the gains, in the scoring of the study first; none without gains."""
        sentences: list[Note] = []
        # If both sides declare, a reader must know for which of them a gain is good.
        if self.gains and self.has_defended:
            sentences.append(f"All gains and verdicts are from the point of view of {self.side}.")
        n_first = len(sentences) + 1
        for scoring, gains in ((self.scoring, self.gains), (self.second_scoring, self.second_gains)):
            if not gains:
                continue
            if self.compares_pairs:
                sentences += self._describe_best(SCORINGS[scoring], gains)
                continue
            # The contract with the largest gain comes first
            best: dict[str, float] = {}
            for (name, _), gain in gains.items():
                best[name] = max(best.get(name, -math.inf), gain.value)
            for name in sorted(best, key=lambda name: -best[name]):
                is_further = len(best) == 1 and len(sentences) == n_first
                sentences.append(self._describe_gain(name, SCORINGS[scoring], gains, is_further))
        return sentences

    def _describe_best(self, scoring: Scoring, gains: Mapping[tuple[str, str], Estimate]) -> list[Note]:
        """Return which contracts may be the best; name vulnerabilities unless it is the same at all."""
        groups: dict[tuple[str, ...], list[str]] = {}
        for state in self.states:
            groups.setdefault(tuple(self.find_possibly_best(state, gains)), []).append(state)
        n_deals = self._count_deals(gains.values())
        sentences: list[Note] = []
        for names, states in groups.items():
            leaders = sorted(names, key=lambda name: -gains[name, states[0]].value)
            where = f", {join_words(states)}" if len(states) < len(self.states) else ""
            text = describe_leaders(
                self._shorten_names(leaders),
                self._shorten_names([name for name in self.names if name not in leaders]),
                gains[leaders[0], states[0]],
                n_deals,
            )
            sentences.append(f"{scoring.at[0].upper()}{scoring.at[1:]}{where}: {text}.")
        return sentences

    def _describe_gain(
        self, name: str, scoring: Scoring, gains: Mapping[tuple[str, str], Estimate], is_further: bool
    ) -> Note:
        """Return the verdict on a contract at each vulnerability, in one sentence."""
        found = {state: gain for (each, state), gain in gains.items() if each == name}
        first, second = self._shorten_names([name, str(self.against)])
        n_deals = self._count_deals(found.values())
        return scoring.describe(first, second, found, n_deals, is_further=is_further)

    def _shorten_names(self, names: Sequence[str]) -> list[str]:
        """Return names for a sentence, without the declarer if all contracts have the same."""
        declarers = {name.partition(" by ")[2] for name in self.names if name != "pass"}
        texts = [name.partition(" by ")[0] for name in names] if len(declarers) == 1 else names
        return [shorten(name, NAME_LENGTH) for name in texts]

    def _count_deals(self, gains: Iterable[Estimate]) -> int:
        """Return the number of deals of gains; deals on which all strategies agree count with a gain of 0."""
        n_deals = max(gain.n for gain in gains)
        return self.deals if n_deals == self.differing else n_deals

    def _describe_break_even(self) -> list[Note]:
        """Return a sentence for each contract and vulnerability with the value from which it gains."""
        notes: list[Note] = [
            (f"Break-even of {name}, {state}: ", *found.describe(), ".")
            for (name, state), found in self.break_even.items()
            if found.value is not None or not self.compares_pairs
        ]
        if notes:
            replicates = Quantity(next(iter(self.break_even.values())).replicates, "count")
            notes.append(
                ("Break-even is where the mean gain, made monotone by isotonic regression, crosses 0; its "
                 "interval is from ", replicates, " resamples of the deals.")
            )  # fmt: skip
        return notes

    def _list_plots(self) -> tuple[str, ...]:
        """Return the plots of the study, the default one first."""
        return ("gain", "makes") if self.gains else ("makes",)

    def plot(
        self,
        ax: Any = None,
        show: str | None = None,
        *,
        figsize: tuple[float, float] | None = None,
        title: str | None = None,
    ) -> Any:
        """Plot gains or make rates with their intervals; with `by`, against its values.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Axes of the plot; by default of a new figure.
        show : {"gain", "makes"}, optional
            By default the gain; for a single contract, how often it makes.
        figsize : (float, float), optional
            Width and height of a new figure in inches.
        title : str, optional
            Title instead of the default one.

        Returns
        -------
        matplotlib Axes
        """
        return plot_contracts(self, Place(ax, figsize, title), show)


def _build_rules(rules: pd.DataFrame) -> Table:
    """Return the rules of strategies with the deals to which they apply."""
    columns = [
        Column("strategy", kind="name"), Column("rule", kind="text"), Column("contract", kind="contract"),
        Column("deals", kind="count"), Column("share", kind="share", decimals=1),
    ]  # fmt: skip
    rows = [
        [shorten(str(name), NAME_LENGTH), row.condition, row.contract, int(row.deals), float(row.share)]
        for (name, _), row in rules.iterrows()
    ]
    return Table(columns, rows, "Rules")


def find_marks(study: ContractTables, name: str) -> list[tuple[str, float]]:
    """Return, by vulnerability, the make rate from which a contract gains over a lower one of its strain.

    The lower contract is one of the study if possible, otherwise one level lower.
    """
    shown = study.tricks.get(name)
    if shown is None or shown.is_defended or shown.contract.doubled:
        return []
    other = _find_lower(study, shown)
    scoring = study.scoring
    marks = []
    for state in study.states if other else ():
        declares_ns = name.endswith((" by north", " by south"))
        is_vulnerable = state in ("vulnerable", "both", "NS" if declares_ns else "EW")
        found = break_even(str(shown.contract), other, vulnerable=is_vulnerable, scoring=scoring)
        if found.fraction and found.fraction < 1:
            marks.append((state, float(found.fraction)))
    return marks if len({mark for _, mark in marks}) > 1 else marks[:1]


def _find_lower(study: ContractTables, shown: TrickShares) -> str:
    """Return the contract that marks are relative to on the axis of a contract's make probability, or ""."""
    level, strain = shown.contract.level, shown.contract.strain
    others = [
        each.contract.level
        for each in study.tricks.values()
        if each.contract.strain == strain
        and not (each.contract.doubled or each.is_defended)
        and each.contract.level < level
    ]
    lower = max(others, default=level - 1)
    return f"{lower}{str(shown.contract)[1:]}" if lower else ""
