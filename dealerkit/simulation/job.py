"""One run: the checked arguments of `run`, and the job that is prepared from them."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from numbers import Integral, Real
from typing import Any

from dealerkit.actions import Writer
from dealerkit.appearance.screen import Screen
from dealerkit.appearance.wording import limit_repr
from dealerkit.arguments import check_integer, check_optional_integer, check_truth
from dealerkit.dealing.predeal import Predeal
from dealerkit.dealing.source import Source
from dealerkit.errors import ArgumentError, MemoryLimitError, Parameter, quote
from dealerkit.language.checks import Program
from dealerkit.language.script_variables import Params
from dealerkit.planning import Limits, Plan
from dealerkit.planning.acceptance import AcceptanceForecast
from dealerkit.planning.choice import PLANS
from dealerkit.runtime.executors import check_executor
from dealerkit.runtime.process import cached_property, memory_bytes
from dealerkit.simulation.run_limits import RunLimits
from dealerkit.statistics.intervals import check_confidence

AUTO_KEPT = 100_000  # produced deals that keep="auto" keeps


@limit_repr
@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class RunOptions:
    """All options of a run with their defaults, for `run_script`.

    Parameters
    ----------
    produce, generate, seed, params, dialect, stream, source, solved, plan, keep, statistics
        As for `dealerkit.run`.
    threads, executor, progress, confidence, frame, include, checkpoint, limits
        As for `dealerkit.run`.
    predeal : mapping, optional
        Cards or suit lengths of seats in addition to the script's, as for `dealerkit.deal`.
    swap : {0, 2, 3}
        Use each shuffle for two or six deals with hands exchanged; intervals take this into account. Given
        deals are not swapped.
    write : callable, optional
        Called with each piece of text as soon as it is complete; `Result.text` is then empty.
    write_rest : callable, optional
        Called instead of `write` with all text that is not a board, if an action prints boards (printpbn,
        printlin, printoneline, printcompact); so what `write` receives is a valid file of deals.
    quiet_pbn : bool
        Suppress the output of printpbn.
    natural_shares : bool
        Measure the natural share of each hand type of ``level``. Without them there are no weights, and no
        means at natural frequencies; types that need double-dummy results are dealt much sooner.
    files : mapping, optional
        Files for the text of the actions ``"csvrpt"`` and ``"export"``, which is then not in the text of the
        result: ``FILE`` to append, ``w:FILE`` to overwrite. A run that fails does not change them. Also files
        for the produced deals in the formats of DealerV2: ``"zrd"``, with their tables (``N:FILE`` and
        ``Nw:FILE`` without), and ``"dl52"``, 52 bytes per deal.
    title : str, optional
    opener : seat, optional
        Instead of the script's.
    give_up : float, optional
        End the run after this number of seconds if nothing has been produced by then.
    vulnerable : {"none", "ns", "ew", "both", "all"}, int 0 to 3 or bool, optional
        Instead of the script's, for calls of par and parcontract that give none, and for the deals. In v1 and
        v2, the script's value applies to the deals and this one to par, as in the old programs.
    quote_formulas : bool
        Put an apostrophe before each cell of csvrpt that a spreadsheet would execute as a formula (modern
        only; in v1 and v2 texts are in apostrophes).
    untrusted : bool
        As for `dealerkit.run`.
    screen : Screen
        The screen for which reports are formatted, in modern; by default lines have any length.

    Examples
    --------
    >>> from dealerkit.simulation.run import run_script
    >>> options = RunOptions(produce=2, seed=1, dialect="v2", title="Two deals")
    >>> options
    RunOptions(produce=2, seed=1, dialect='v2', title='Two deals')
    >>> run_script("action printoneline", options).produced
    2
    """

    produce: int | None = None
    generate: int | None = None
    seed: int | None = None
    params: Params = ()
    dialect: str = "modern"
    stream: str = "uniform"
    source: Any = None
    solved: Any = None
    plan: str = "auto"
    keep: str | int = "auto"
    statistics: bool = True
    threads: int | None = None
    executor: Any = None
    progress: bool | None = None
    confidence: float = 0.95
    frame: str | os.PathLike | None = None
    include: Sequence[str | os.PathLike] = ()
    checkpoint: str | os.PathLike | None = None
    limits: RunLimits | None = None
    predeal: Mapping[str, Any] | None = None
    swap: int = 0
    write: Callable[[str], Any] | None = None
    write_rest: Callable[[str], Any] | None = None
    quiet_pbn: bool = False
    natural_shares: bool = True
    files: Mapping[str, str | os.PathLike] | None = None
    title: str | None = None
    opener: int | str | None = None
    give_up: float | None = None
    vulnerable: int | str | bool | None = None
    quote_formulas: bool = False
    untrusted: bool = False
    screen: Screen = Screen()

    def __repr__(self) -> str:
        given = (
            f"{option.name}={value!r}"
            for option in fields(self)
            if (value := getattr(self, option.name)) is not option.default
        )
        return f"RunOptions({', '.join(given)})"

    def checked(self) -> RunOptions:
        """Return the same options with numbers converted to int.

        Raises
        ------
        ArgumentError
            An argument has a wrong type or range. `keep` is checked when the limits of the run are known.
        """
        # Numbers and truth values
        numbers = {
            name: check_optional_integer(name, getattr(self, name), least)
            for name, least in (("produce", 0), ("generate", 0), ("seed", None), ("threads", 1))
        }
        check_confidence(self.confidence)
        check_truth("statistics", self.statistics)
        check_truth("quiet_pbn", self.quiet_pbn)
        check_truth("natural_shares", self.natural_shares)
        check_truth("untrusted", self.untrusted)
        # Objects
        if self.executor is not None:
            check_executor(self.executor)
        for name in ("write", "write_rest"):
            if (write := getattr(self, name)) is not None and not callable(write):
                raise ArgumentError(
                    f"{name} is {quote(write)}; give a function that takes a text, such as sys.stdout.write"
                )
        if self.limits is not None and not isinstance(self.limits, RunLimits):
            raise ArgumentError(f"limits is {quote(self.limits)}; give dealerkit.RunLimits(seconds=60, ...)")
        if self.title is not None and not isinstance(self.title, str):
            raise ArgumentError(f"title is {quote(self.title)}; give a text")
        if self.give_up is not None and not (isinstance(self.give_up, Real) and self.give_up >= 0):
            raise ArgumentError(
                Parameter("give_up"), f" is {self.give_up!r}; it must be a number of seconds, 0 or more"
            )
        # Choices
        if not isinstance(self.stream, str) or self.stream not in ("uniform", "classic"):
            raise ArgumentError(f"unknown stream {self.stream!r}; the streams are 'uniform' and 'classic'")
        if not isinstance(self.swap, Integral) or self.swap not in (0, 2, 3):
            raise ArgumentError(f"swap is {self.swap}; it must be 0, 2 or 3")
        if not isinstance(self.plan, str) or self.plan not in PLANS:
            raise ArgumentError(f"unknown plan {self.plan!r}; the plans are {', '.join(PLANS)}")
        self._check_plan()
        if self.solved is not None:
            self._check_solved()
        return replace(self, **numbers)

    def _check_solved(self) -> None:
        """Raise ArgumentError for solved deals combined with another source of deals."""
        from dealerkit.formats.solved_libraries import check_solved  # few runs need it

        check_solved(self.solved)
        if self.source is not None or self.swap or self.stream == "classic":
            others = Parameter("source="), ", ", Parameter("swap="), " and ", Parameter("stream=", "classic")
            raise ArgumentError(
                Parameter("solved="), " cannot be combined with ", *others, "; leave out one of them"
            )

    def _check_plan(self) -> None:
        """Raise ArgumentError if the plan contradicts how other arguments make the run deal."""
        if self.plan in ("auto", "plain"):
            return
        for option, reason, applies in (
            (Parameter("source="), "takes deals that exist already", self.source is not None),
            (Parameter("solved="), "takes deals that exist already", self.solved is not None),
            (Parameter("swap=", self.swap), "exchanges hands of plain deals", self.swap),
            (
                Parameter("stream=", "classic"),
                "deals the same deals as the old programs",
                self.stream == "classic",
            ),
        ):
            if applies:
                raise ArgumentError(
                    Parameter("plan=", self.plan), " is not possible: ", option, f" {reason}; give ",
                    Parameter("plan=", "auto"), " or ", Parameter("plan=", "plain"),
                )  # fmt: skip


@dataclass(frozen=True, eq=False)
class Job:
    """Everything that a run needs once its script is compiled and its plan is chosen.

    Attributes
    ----------
    options : RunOptions
    plain : Plan
        The plan that evaluates all clauses on plainly dealt deals; exact counts are based on it.
    plan : Plan
        The chosen plan.
    source : Source
        The source of deals that the chosen plan needs.
    seed : int
    limits : Limits
        When the run ends. Under a conditional plan, `limits.generate` counts candidates.
    requested : Limits
        The limits in deals, as set by the caller, the script or the defaults.
    n_kept : int
        Number of produced deals, from the first, that the result keeps.
    text : ClassicText
        Writer of the text of the dialect.
    predeal : Predeal or None
        All predealt cards and lengths, if the plan was chosen for plain uniform deals; otherwise None.
    started : float
        `time.perf_counter()` when the run began.
    """

    options: RunOptions
    plain: Plan
    plan: Plan
    source: Source
    seed: int
    limits: Limits
    requested: Limits
    n_kept: int
    text: Writer = field(repr=False)
    predeal: Predeal | None = None
    started: float = 0.0

    @cached_property
    def forecast(self) -> AcceptanceForecast | None:
        """Acceptance rate and contradictions of the condition; None if no plan was chosen for it."""
        if self.predeal is None or not self.plain.clauses:
            return None
        return AcceptanceForecast(self.plain, self.plan, self.predeal)

    @property
    def candidate_share(self) -> float:
        """The share of all deals that the source can yield; below 1 under a conditional plan."""
        return 1.0 if self.plan.sampling is None else float(self.plan.sampling.share)

    @property
    def program(self) -> Program:
        """The checked script."""
        return self.plan.program


def count_kept(keep: str | int, limits: Limits) -> int:
    """Return the number of produced deals that a result keeps.

    Raises
    ------
    ArgumentError
        `keep` is neither "auto", "all" nor a number.
    MemoryLimitError
        `keep` is "all" and the deals of the run may fill a quarter of the memory.
    """
    if not isinstance(keep, str) or keep not in ("auto", "all"):
        return check_integer("keep ('auto', 'all' or a number of deals)", keep)
    if keep == "auto":
        return AUTO_KEPT
    n_deals = min(limit for limit in (limits.produce, limits.generate) if limit is not None)
    n_bytes, memory = 32 * n_deals, memory_bytes()
    if n_bytes > memory // 4:
        raise MemoryLimitError(
            f"keeping {n_deals:,} deals may take {n_bytes:,} bytes, "
            f"more than a quarter of the memory ({memory:,})"
        )
    return n_deals
