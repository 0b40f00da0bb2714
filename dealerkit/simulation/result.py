"""The result of a run: its reports, deals and boards, and what is shown of it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from dealerkit.actions import Report, TypeReport, join_cards
from dealerkit.appearance.card import Card
from dealerkit.appearance.content import Note
from dealerkit.appearance.numbers import (
    choose_decimals,
    count_digits,
    format_count,
    format_number,
    format_odds,
)
from dealerkit.appearance.table import Quantity
from dealerkit.appearance.wording import number_names
from dealerkit.arguments import check_integer
from dealerkit.cards.deals import Deals
from dealerkit.doubledummy.ledger import Ledger
from dealerkit.errors import ArgumentError, quote
from dealerkit.language.scenarios import find_scenario_name
from dealerkit.planning import Plan
from dealerkit.runtime.process import cached_property
from dealerkit.runtime.progress import long_work
from dealerkit.simulation.calls import format_run
from dealerkit.simulation.record import RunRecord, SavedSampler, describe_seeds
from dealerkit.statistics import Estimate

if TYPE_CHECKING:
    import pandas as pd

    from dealerkit.formats.library import Library
    from dealerkit.simulation.frames import KeptColumns

MAX_LINES = 200  # lines of printed text that a notebook shows


@dataclass(frozen=True, eq=False, repr=False)
class Result:
    """Deals, reports, counts and settings of a run. Results compare by identity.

    Attributes
    ----------
    produced : int
        Deals accepted.
    generated : int or None
        Number of deals dealt. Under a conditional plan, which does not deal plainly: the limit in deals if it
        ended the run, otherwise None.
    proposed : int
        Number of candidates of a conditional plan; under a plain plan, the number of deals dealt.
    probability : Estimate
        The acceptance rate, with Wilson's interval; exact if all candidates are accepted. For a run that
        ended with the last of n deals to produce, it is (n - 1) / (N - 1), where N is the number of deals
        dealt. This estimate is unbiased (Haldane 1945), and its interval is exact for n < 20. For n = 1 it is
        1 / N, and `biased` is true.
    equivalent : float
        Approximate number of deals that a plain run would have dealt: the deals dealt, or the candidates
        divided by the probability of a candidate. Under `level`, the deals until plain dealing has as many
        deals of each type as its share demands. nan if nothing was produced.
    seed : int
        Seed that reproduces the run, with the same versions.
    elapsed : float
        Seconds of wall time.
    deals : Deals
        The first produced deals, as many as `keep` allows, with the attached columns of their source, and
        dealer and vulnerability if the script or the argument of `run` sets them.
    numbers : ndarray of int64 [n]
        Their numbers on the stream, or in the source, from 0.
    reports : tuple of Report
        One for each action that accumulates, in the order of the script. ``result["label"]`` is one of them,
        ``result["label 2"]`` is the second one with the same label.
    text : str
        The text that the command prints; empty if `write` was given.
    plan : Plan
        `plan.name` is plain, staged or conditional.
    stream : {"uniform", "classic", "given"}
        Given: existing deals, from `source`.
    stream_version, plan_version : int
    conditional_version : int or None
        Version of the algorithm of conditional dealing, if the plan is conditional. For equal versions, a
        seed reproduces the deals.
    solver : Ledger
        Numbers of double-dummy results by origin: requested, attached, stored, bounded, solved; and seconds.
    interrupted : bool
        Whether Ctrl-C or a limit ended the run; all values describe the deals before that.
    limit : str
        The limit of `limits` that ended the run, such as "60 s of time"; empty if none did.
    warnings : sequence of str
        Warnings from checking the script.
    params : mapping of str to object
        The values of the script variables by name, as given.
    record : RunRecord
        What is needed to combine the result with others.
    random_values : mapping of int to ndarray of int64 [n]
        Values of `rnd` in the actions for `deals`, by slot of the plan, if they come from the deals' stream.
    unsatisfiable : tuple of str
        Clauses that provably no deal satisfies together, if nothing was produced for that reason; for a run
        on all layouts of some cards, all clauses if no layout satisfies them.

    Examples
    --------
    >>> from dealerkit.simulation.run import run
    >>> result = run("condition hcp(north) >= 20 action average hcp(south)", produce=100, seed=1, keep=10)
    >>> result.produced, len(result.deals), result.seed, result.stream
    (100, 10, 1, 'uniform')
    >>> result.to_frame().columns.tolist()
    ['deal', 'hcp(south)']
    """

    produced: int
    generated: int | None
    seed: int
    elapsed: float
    deals: Deals
    numbers: np.ndarray = field(repr=False)
    reports: tuple[Report, ...]
    text: str = field(repr=False)
    plan: Plan = field(repr=False)
    probability: Estimate
    record: RunRecord = field(repr=False)
    stream: str = "uniform"
    stream_version: int = 1
    interrupted: bool = False
    warnings: Sequence[str] = ()
    solver: Ledger = field(default_factory=Ledger)
    proposed: int = 0
    params: Mapping[str, Any] = field(default_factory=dict)
    random_values: Mapping[int, np.ndarray] = field(default_factory=dict, repr=False)
    unsatisfiable: tuple[str, ...] = ()
    limit: str = ""

    @classmethod
    def concat(cls, results: Iterable[Result]) -> Result:
        """Return the results of independent runs of one script as one result.

        The reports are those of a single run over the deals of all runs, except for `board()`, which counts
        the deals of each run. The kept deals are concatenated; clusters get new numbers. The text consists of
        the deals that each run printed, then the combined reports. ``first + second`` does the same.

        Parameters
        ----------
        results : iterable of Result
            Results of the same script with the same values of its variables, dealt in the same way from
            different seeds; or results of different given deals, all of them kept.

        Returns
        -------
        Result
            `seed` is that of the first run, `seeds` contains all of them.

        Raises
        ------
        ArgumentError
            Runs differ in script, variables, dialect, predeal or plan; deals occur twice; results are exact
            already.

        Examples
        --------
        >>> from dealerkit.simulation.run import run
        >>> script = "condition hcp(north) >= 20 action average hcp(south)"
        >>> both = Result.concat(run(script, produce=500, seed=seed) for seed in (1, 2))
        >>> both.produced, both["hcp(south)"].n, both.seeds
        (1000, 1000, (1, 2))
        """
        from dealerkit.simulation.combining import combine_results

        return combine_results(results, cls)

    def __add__(self, other: Result) -> Result:
        return type(self).concat([self, other]) if isinstance(other, Result) else NotImplemented

    def save(self, path: str | os.PathLike) -> None:
        """Write the result to a zip file at `path`, which `dealerkit.load` reads; it replaces such a file.

        Raises
        ------
        ArgumentError
            The script was not read from text, or uses rules of your own.
        FileError
        """
        from dealerkit.simulation.saved_results import save_result

        save_result(self, path)

    @property
    def seeds(self) -> tuple[int, ...]:
        """The seed of each run in the result; more than one for a combined result."""
        return self.record.seeds

    @property
    def call(self) -> str:
        """The call that computes the result again; `deals` is the name of given deals.

        It contains the random seed, but not what does not change the result, such as threads. It is
        empty if the script has no text.

        >>> from dealerkit.simulation.run import run
        >>> run("condition hcp(north) >= 20", produce=5, seed=3).call
        "dk.run(script='condition hcp(north) >= 20', seed=3, produce=5)"
        """
        script = self.plan.program.script
        calls = [format_run(script, part.seed, part.options) for part in self.record.parts]
        return " + ".join(calls) if all(calls) else ""

    @property
    def equivalent(self) -> float:
        """Approximate number of deals that a plain run would have dealt; nan if unknown."""
        if not self.produced:
            return float("nan")
        if self.plan.name == "levelled":
            return self.produced / self.probability.value
        return self.proposed / (1.0 if self.plan.sampling is None else float(self.plan.sampling.share))

    @property
    def plan_version(self) -> int:
        """The version of the algorithm that chooses plans."""
        return self.plan.version

    @property
    def conditional_version(self) -> int | None:
        """The version of conditional dealing; None under another plan, whose deals do not depend on it."""
        if self.plan.sampling is None:
            return None
        if isinstance(self.plan.sampling.sampler, SavedSampler):
            return self.plan.sampling.sampler.version
        from dealerkit.dealing.conditional.sampler import CONDITIONAL_VERSION  # the import takes 0.1 s

        return CONDITIONAL_VERSION

    @cached_property
    def _columns(self) -> KeptColumns:
        from dealerkit.simulation.frames import KeptColumns  # the command needs no DataFrame

        runs = ((part.seed, part.n_kept) for part in self.record.parts)
        return KeptColumns(self.plan, self.deals, self.numbers, tuple(runs), self.random_values)

    def to_frame(self, *names: str, layout: str = "wide", **expressions: str) -> pd.DataFrame:
        """Return the kept deals as a DataFrame with one row for each deal, or for each deal and seat.

        Parameters
        ----------
        *names : str
            Functions, such as ``hcp``, whose columns are added, as for `Deals.to_frame`.
        layout : {"wide", "long"}
            Long: a row for each deal and seat, with the columns `number` (of the kept deal, from 0), `seat`,
            `deal`, and `board`, `weight` and `cluster` if the deals have them. Four columns that differ only
            in the seat, ``hcp(north)`` to ``hcp(west)``, become one column ``hcp``; others are repeated for
            each seat.
        **expressions : str
            Expressions that are added; each gives a column named by its keyword.

        Returns
        -------
        DataFrame
            The column `deal`, then one for each variable of the script and each expression of its actions; a
            name that an earlier column has gets a number, as in ``label 2``. A variable with `rnd` has random
            numbers of its own here, as at each of its uses. Then the added columns.

        Raises
        ------
        ArgumentError
            `layout` is neither wide nor long, a variable has the name of a column of the long layout, or an
            added column that of another one.
        UnknownNameError, ScriptError, EvaluationError
            As for `Deals.to_frame`.

        Examples
        --------
        >>> from dealerkit.simulation.run import run
        >>> result = run("condition hcp(north) >= 20 action average hcp(south)", produce=3, seed=1)
        >>> result.to_frame("controls_north", fit="fit(NS)").columns.tolist()
        ['deal', 'hcp(south)', 'controls_north', 'fit']
        """
        from dealerkit.compiler.frames import ATTACHED, group_columns, is_long, stack_seats
        from dealerkit.simulation.frames import build_produced_frame

        is_long_layout = is_long(layout)
        frame = build_produced_frame(self.plan, self.deals, self._columns.evaluate)
        if is_long_layout:
            frame = stack_seats(frame, group_columns(frame.columns[1:]))
        if not (names or expressions):
            return frame
        n_fixed = 3 + sum(name in self.deals.attached for name in ATTACHED) if is_long_layout else 1
        added = self.deals.to_frame(*names, layout=layout, **expressions).iloc[:, n_fixed:]
        if twice := [column for column in added if column in frame]:
            raise ArgumentError(f"the result has a column {twice[0]!r} already; leave out this name")
        return frame.join(added)

    def boards(
        self,
        student: int | str | None = None,
        *,
        first: int = 1,
        dealer: int | str | None = None,
        vulnerable: int | str | bool | None = None,
        title: str | None = None,
        rotate: bool = False,
    ) -> Library:
        r"""Return the kept deals as boards for teaching, with the name and the text of the scenario.

        Parameters
        ----------
        student : seat, optional
            Seat of the student in the script; all hands are rotated so that the student sits south.
        first : int
            Number of the first board, 1 or more.
        dealer, vulnerable : optional
            For all boards. None: those of the script, which move with the hands, otherwise those of the board
            number.
        title : str, optional
            Name of the scenario; None: the title of the script, or the name in the header of the scenario.
        rotate : bool
            Rotate the hands of each board, so that the hand of the script's dealer goes to the seat that
            deals the board. The vulnerability is that of the board number, or `vulnerable`.

        Returns
        -------
        Library
            ``write("boards.pbn")`` or ``write("boards.lin")`` writes a file. The title is the event and a
            comment on each board; the chat text of the scenario is a comment on the first board.

        Raises
        ------
        ArgumentError
            A seat, number or title has a wrong type or range.

        Examples
        --------
        >>> from dealerkit.simulation.run import run
        >>> script = "# button-text: Strong opener\ndealer north hcp(north) >= 20"
        >>> boards = run(script, produce=2, seed=1).boards(student="north")
        >>> boards.deals.dealer.tolist(), boards.texts["comment"]
        ([2, 2], ['Strong opener', 'Strong opener'])
        """
        from dealerkit.formats.content import Records
        from dealerkit.formats.library import Library

        first = check_integer("first", first, 1)
        if title is not None and not isinstance(title, str):
            raise ArgumentError(f"title is {quote(title)}; it must be a text")
        if student is not None and rotate:
            raise ArgumentError("student and rotate both move the hands; give one of them")
        # Hands, dealer and vulnerability: those of the script apply unless an argument sets them
        deals = self.deals if student is None else self.deals.rotate("south", student)
        boards = deals.number_boards(first, dealer=dealer, vulnerable=vulnerable, rotate=rotate)
        columns: dict[str, Any] = {}
        for column, given in (("dealer", dealer), ("vulnerable", vulnerable)):
            own = getattr(deals, column)
            if given is None and own is not None and not rotate:
                columns[column] = np.where(own < 0, getattr(boards, column), own)
        boards = boards.replace(**columns)
        # Texts: the name on each board, the chat text on the first
        program, metadata = self.plan.program, self.plan.program.script.metadata
        name = title or program.title or find_scenario_name(metadata)
        texts: dict[str, list] = {}
        if name:
            texts = {"comment": [name] * len(boards), "tags": [[["Event", name]]] * len(boards)}
        if len(boards) and (chat := metadata.get("chat")):
            texts.setdefault("comment", [""] * len(boards))
            texts["comment"][0] = "\n".join(filter(None, (name, chat)))
        return Library(Records(boards, texts, name=name))

    @property
    def drawable(self) -> list[Report]:
        """The reports that can be plotted."""
        return [report for report in self.reports if report.charts]

    @property
    def types(self) -> pd.DataFrame:
        """The hand types of `level`, or of ``HandType_`` variables, with a row for each.

        Raises
        ------
        ArgumentError
            The script has no hand types.
        """
        for report in self.reports:
            if isinstance(report, TypeReport):
                return report.frame
        raise ArgumentError('the script has no hand types; add `level "weak" hcp(south) < 8, ...` to it')

    def plot(
        self,
        ax: Any = None,
        *,
        figsize: tuple[float, float] | None = None,
        title: str | Sequence[str] | None = None,
    ) -> Any:
        """Plot the reports.

        Parameters
        ----------
        ax : matplotlib Axes, sequence of Axes or Figure, optional
            Axes for each plot, or a figure for all of them; by default a new figure.
        figsize : (float, float), optional
            Width and height of a new figure in inches.
        title : str or sequence of str, optional
            Titles instead of the default ones.

        Returns
        -------
        matplotlib Axes, or ndarray of Axes for several plots

        Raises
        ------
        ArgumentError
            There is no plot, or the number of Axes or titles is wrong.
        """
        from dealerkit.charts.panels import stack_charts

        if not self.drawable:
            raise ArgumentError("nothing to plot; add an action such as frequency (hcp(north), 0, 37)")
        shown = [report for report in self.drawable if report.n]
        return stack_charts(
            [chart for card in join_cards(shown) for chart in card.charts], ax, figsize, title
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the result as types that JSON has.

        Returns
        -------
        dict
            As `Card.to_dict`, with produced, generated, probability and seeds, and a list `reports` of dicts
            of the same kind: title, tables, notes. Estimates are dicts with value, interval and number of
            deals. Deals are not included.

        Examples
        --------
        >>> from dealerkit.simulation.run import run
        >>> result = run("action average hcp(south)", produce=100, seed=1)
        >>> result.to_dict()["reports"][0]["title"]
        'Average of hcp(south)'
        """
        numbers = {
            "produced": self.produced,
            "generated": self.generated,
            "probability": self.probability.to_dict(),
            "seeds": list(self.seeds),
        }
        reports = [card.to_dict() for card in join_cards(self.reports)]
        return {**_describe(self).to_dict(), **numbers, "reports": reports}

    def __getitem__(self, label: str) -> Report:
        """Return the report with this label or expression; repeated labels have a number: ``label 2``."""
        names = number_names(report.title for report in self.reports)
        if isinstance(label, str) and label in names:
            return self.reports[names.index(label)]
        raise ArgumentError(f"no report {quote(label)}; there are {', '.join(map(repr, names)) or 'none'}")

    def __repr__(self) -> str:
        if self.generated is not None:
            dealt = format_count(self.generated, "deal")
        else:
            equivalent = self.equivalent
            is_unknown = np.isnan(equivalent)
            number = "an unknown number of" if is_unknown else f"about {format_number(equivalent, 0)}"
            dealt = f"{number} deals"
        origin = "given deals" if self.stream == "given" else f"{self.stream} {describe_seeds(self.seeds)}"
        interrupted = ", interrupted" if self.interrupted else ""
        return (
            f"<Result: {format_count(self.produced)} of {dealt}, {origin}, "
            f"{format_number(self.elapsed, 2)} s{interrupted}>"
        )

    def _repr_html_(self) -> str:
        from dealerkit.appearance.html import render_fragment

        return render_fragment(_render(self, self.text, complete=False), repr(self))

    @overload
    def to_html(self, path: None = None, *, text: str | None = None) -> str: ...
    @overload
    def to_html(self, path: str | os.PathLike[str], *, text: str | None = None) -> None: ...
    def to_html(self, path: str | os.PathLike[str] | None = None, *, text: str | None = None) -> str | None:
        """Return the result as an HTML page, or write the page to a file.

        The page is a single file that can be sent or published, with all reports, hands and printed text, and
        the first deals as diagrams. It loads nothing and can be read without JavaScript; with JavaScript, a
        click on a column head sorts the table, and a button copies the call that computes the result again.

        Parameters
        ----------
        path : str or os.PathLike, optional
            File to write, which appears under its name only when it is complete. None: return the page.
        text : str, optional
            The text that was printed, if `write` took it; None: `text` of the result.

        Returns
        -------
        str or None
            The page; None if it was written.

        Raises
        ------
        ArgumentError, FileError
            `text` is not a text, or the file cannot be written.
        """
        from dealerkit.appearance.page import render_page
        from dealerkit.appearance.sharing import output_page

        if not isinstance(text, str | None):
            raise ArgumentError(f"text is {quote(text)}; give the printed text, or leave it out")
        content = _render(self, self.text if text is None else text, complete=True)
        return output_page(render_page(self.plan.program.title or "dealerkit", content), path)


@long_work
def load(path: str | os.PathLike) -> Result:
    """Return the result that `Result.save` wrote to a file.

    It has the deals, reports and text of the saved result, and can be combined with others. If the script
    uses functions of your own, register them first. Loading a file never executes code from it.

    Parameters
    ----------
    path : str or os.PathLike

    Returns
    -------
    Result

    Raises
    ------
    FileError
        The file cannot be read, is damaged, was not written by `Result.save`, or was written by a newer
        version.

    Examples
    --------
    >>> import tempfile
    >>> from dealerkit.simulation.run import run
    >>> result = run("condition hcp(north) >= 20 action average hcp(south)", produce=100, seed=1)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     result.save(f"{folder}/study.zip")
    ...     again = load(f"{folder}/study.zip")
    >>> again.produced, again["hcp(south)"].mean == result["hcp(south)"].mean, again.text == result.text
    (100, True, True)
    """
    from dealerkit.simulation.saved_results import read_result

    return Result(**read_result(path))


def _describe(result: Result) -> Card:
    """Return the card of a result without its reports: deals, acceptance, seed, how they were dealt."""
    population: list[Note] = []
    # The acceptance rate, as odds whose digits follow from the interval
    rate = result.probability
    if result.produced and rate.value < 1:
        share = Quantity(rate, "share").format()
        interval = "exact" if rate.exact else share.interval
        ends = 100 * rate.value, 100 * rate.lo, 100 * rate.hi
        digits = 4 if rate.exact else count_digits(ends[0], choose_decimals(*ends, no_effect=0))
        odds = format_odds(rate.value, digits)
        population.append(f"1 deal {odds.removeprefix('1 ')} ({share.value}, {interval})")
    # Deals dealt, or that plain dealing would have dealt
    if result.generated is None and not np.isnan(result.equivalent):
        population.append(("corresponds to about ", Quantity(result.equivalent, digits=3), " dealt"))
    elif result.generated not in (None, result.produced):
        population.append((Quantity(result.generated, "count"), " dealt"))
    is_given = result.stream == "given"
    origin = result.record.source.removesuffix(", ") if is_given else describe_seeds(result.seeds)
    population += [origin, (Quantity(result.elapsed, decimals=2), " s")]
    return Card(format_count(result.produced, "deal"), population=population, provenance=_list_facts(result))


def _list_facts(result: Result) -> list[tuple[str, str]]:
    """Return how the deals were dealt, as a list of terms."""
    plan, solver = result.plan, result.solver
    facts = [("plan", f"{plan.name}, version {plan.version}")]
    if plan.sampling is not None:
        facts.append(
            (
                "candidates",
                f"{format_count(result.proposed)} sampled, of which {format_count(result.produced)} "
                "passed all tests",
            )
        )
    if result.stream != "given":
        facts.append(
            ("stream", f"{result.stream}, version {result.stream_version}, {describe_seeds(result.seeds)}")
        )
    if solver.requested:
        counts = [(solver.solved, "solved"), (solver.stored, "stored"), (solver.attached, "attached")]
        kinds = ", ".join(
            f"{format_count(count)} {kind}" for count, kind in [*counts, (solver.bounded, "from bounds")]
        )
        facts.append(("double dummy", f"{format_count(solver.requested)} results: {kinds}"))
    if call := result.call:
        facts.append(("call", call))
    return [*facts, *(("remark", remark) for remark in result.warnings)]


def _render(result: Result, text: str, complete: bool) -> str:
    """Return the HTML of a result: heading, reports, deals if it prints or has no reports, text, provenance.

    `complete` is for a file, with more deals, all hands and the whole text.
    """
    from html import escape

    from dealerkit.appearance.html import render_facts, render_head
    from dealerkit.appearance.html_card import render_note
    from dealerkit.cards.html import render_all_deals, render_deals

    # The head line
    card, prints = _describe(result), any(action.prints for action in result.plan.actions)
    head = render_head(*map(render_note, (card.title, *card.population)))
    stopped = '<span class="dk-warn">stopped</span>' if result.interrupted else ""
    parts = [head.removesuffix("</div>") + stopped + "</div>"]
    # The reports: all averages are in one card, and so are the contracts of a side
    for report in join_cards(result.reports):
        parts.append(f'<div class="dk-report">{report.to_html(complete)}</div>')
    # The deals
    if not result.produced:
        parts.append("<p>No deal met the condition.</p>")
    elif complete:
        is_open = prints or not result.reports
        body = render_all_deals(result.deals, result.produced)
        body = f"<h3>Deals</h3>{body}" if is_open else f"<details><summary>Deals</summary>{body}</details>"
        parts.append(body if len(result.deals) else "")
    elif prints or not result.reports:
        parts.append("<h3>Deals</h3>" if result.reports else "")
        parts.append(render_deals(result.deals, result.produced, "result.deals"))
    # The printed text
    if prints and text and complete:
        parts.append(f"<h3>Printed text</h3><pre>{escape(text)}</pre>")
    elif prints and text:
        lines = text.splitlines()
        count = format_count(len(lines), "line")
        rest = f"; the first {MAX_LINES}, all of them are in result.text" if len(lines) > MAX_LINES else ""
        shown = escape("\n".join(lines[:MAX_LINES]))
        parts.append(f"<details><summary>Printed text, {count}{rest}</summary><pre>{shown}</pre></details>")
    return "".join([*parts, render_facts("How it was dealt, and seed", card.provenance)])
