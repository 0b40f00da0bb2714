"""The provenance of a study's result: its texts, its seed, the versions, and what it cost."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, fields, is_dataclass, replace
from functools import wraps
from inspect import Parameter, signature
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

import numpy as np

from dealerkit.appearance.card import Shown
from dealerkit.appearance.numbers import format_count
from dealerkit.appearance.wording import format_duration, limit_repr, shorten
from dealerkit.arguments import is_empty, is_listing
from dealerkit.cards.deals import Deals
from dealerkit.dealing.source import DealsSource
from dealerkit.doubledummy.ledger import Ledger
from dealerkit.simulation.calls import WITHOUT_EFFECT, describe_value, format_call, read_text
from dealerkit.statistics import Estimate

if TYPE_CHECKING:
    import pandas as pd

DEFAULT_SEEDS = {  # seeds by study; with these, equal calls return equal results
    study: int.from_bytes(word, "big")
    for study, word in (("estimate", b"dealerkit estimate"), ("contracts", b"contracts"), ("leads", b"leads"))
}
DEAL_VERSION = 2  # version of the deals of a seed; see docs/explanation/randomness.md


@limit_repr
@dataclass(frozen=True)
class Cost:
    """The deals, solves and time that a study has used.

    Parameters
    ----------
    deals : int
        Number of deals that met the condition.
    solved_deals : int
        How many of them had their true value computed.
    solves : int
        Number of results that the double-dummy solver computed.
    looked_up : int
        Number of results that were known: attached tables, the store, or bounds that decide the question.
    seconds : float
        Wall time.
    from_solved : int
        Number of deals that were already solved; they are included in `deals` and `solved_deals`.

    Examples
    --------
    >>> print(Cost(20_000, 1_000, 940, 60, 2.5))
    20,000 deals, 1,000 of them evaluated with 940 solves and 60 stored results, 2.5 seconds
    >>> print(Cost(21_114, 1_354, 240, 0, 0.8, 1_114))
    21,114 deals, 1,114 of them from solved deals, 240 evaluated with 240 solves, 800 ms
    """

    deals: int = 0
    solved_deals: int = 0
    solves: int = 0
    looked_up: int = 0
    seconds: float = 0.0
    from_solved: int = 0

    def __str__(self) -> str:
        if not self.deals:
            return "counted"
        if self.from_solved:
            return self._describe_both()
        part = (
            "all of them" if self.solved_deals == self.deals else f"{format_count(self.solved_deals)} of them"
        )
        stored = f" and {format_count(self.looked_up)} stored results" if self.looked_up else ""
        solves = format_count(self.solves, "solve")
        how = f" with {solves}{stored}" if self.solves or self.looked_up else ", without the solver"
        return (
            f"{format_count(self.deals, 'deal')}, {part} evaluated{how}, "
            f"{format_duration(1e9 * self.seconds)}"
        )

    def _describe_both(self) -> str:
        """Return the cost of a study that began with solved deals."""
        first = "all" if self.from_solved == self.deals else format_count(self.from_solved)
        parts = [format_count(self.deals, "deal"), f"{first} of them from solved deals"]
        if n_new := self.solved_deals - self.from_solved:
            stored = f" and {format_count(self.looked_up)} stored results" if self.looked_up else ""
            parts.append(f"{format_count(n_new)} evaluated with {format_count(self.solves, 'solve')}{stored}")
        return ", ".join([*parts, format_duration(1e9 * self.seconds)])

    def with_results(self, ledger: Ledger) -> Cost:
        """Return the cost with the results of a ledger added.

        >>> Cost(2000, 100, 90, 10).with_results(Ledger(requested=8, stored=3, solved=5))
        Cost(deals=2000, solved_deals=100, solves=95, looked_up=13, seconds=0.0, from_solved=0)
        """
        known = ledger.attached + ledger.stored + ledger.bounded
        return replace(self, solves=self.solves + ledger.solved, looked_up=self.looked_up + known)

    def describe_solved(self, is_predicted: bool) -> str:
        """Return the number of deals, how many are solved, and what is known about the others.

        >>> Cost(8097, 180).describe_solved(is_predicted=True)
        '180 of 8,097 deals solved, the others predicted and corrected'
        """
        part = f"{format_count(self.solved_deals)} of {format_count(self.deals, 'deal')} solved"
        if self.from_solved:
            part += f" (of them {format_count(self.from_solved)} from solved deals)"
        return f"{part}, the others predicted and corrected" if is_predicted else part


def list_versions() -> dict[str, str]:
    """Return the versions of the programs on which a result depends, by name."""
    from dealerkit import __version__
    from dealerkit.doubledummy.solvers import describe_solver

    return {
        "dealerkit": __version__,
        "deals": str(DEAL_VERSION),
        "numpy": np.__version__,
        "python": platform.python_version(),
        "solver": describe_solver(),
        "system": sys.platform,
    }


@limit_repr
@dataclass(frozen=True)
class Provenance:
    """The provenance of a study's result: for a footnote, and to compute it again.

    Parameters
    ----------
    script : str
        The texts in the dealer language: the question, then the given condition; "" if they are in the call.
    seed : int or None
        Seed of the deals; None: the deals were given.
    arguments : mapping
        The arguments of the call that change the result, by name; others have their defaults.
    cost : Cost
    versions : mapping
        Versions of dealerkit, the deals of a seed, numpy, Python, the double-dummy solver and the system.
    function : str
        The function of dealerkit that was called.
    solved : str
        How many solved deals the study used first, and which; "" if none.

    Examples
    --------
    >>> source = Provenance("hcp(north)", 7, {"question": "hcp(north)", "seed": 7}, function="estimate")
    >>> source.call
    "dk.estimate(question='hcp(north)', seed=7)"
    """

    script: str
    seed: int | None
    arguments: Mapping[str, Any] = field(default_factory=dict)
    cost: Cost = field(default_factory=Cost)
    versions: Mapping[str, str] = field(default_factory=list_versions)
    function: str = ""
    solved: str = ""

    def __post_init__(self) -> None:
        described = {name: describe_value(value, name) for name, value in self.arguments.items()}
        object.__setattr__(self, "arguments", described)

    @property
    def call(self) -> str:
        """Return the call that computes the result again; `deals` is the name of given deals."""
        return format_call(self.function, self.arguments)

    def to_dict(self) -> dict[str, Any]:
        """Return the fields and the call by name, as types that JSON has."""
        return asdict(self) | {"call": self.call}

    def describe(self) -> list[str]:
        """Return the number of deals, the seed unless it is the default, and the time, for a heading.

        >>> Provenance("hcp(north)", 7, cost=Cost(2000, 100, 90, 10, 1.5)).describe()
        ['2,000 deals', 'seed 7', '1.5 seconds']
        """
        deals = format_count(self.cost.deals, "given deal" if self.seed is None else "deal")
        parts = [deals] if self.cost.deals else []
        is_chosen = self.seed is not None and self.seed not in DEFAULT_SEEDS.values()
        parts += [f"seed {self.seed}"] if is_chosen else []
        return parts + ([format_duration(1e9 * self.cost.seconds)] if self.cost.seconds else [])

    def list_facts(self) -> list[tuple[str, str]]:
        """Return how a study was computed, as terms with their descriptions."""
        if not self.script:
            return [("call", self.call), ("versions", self._name_versions())]
        return [
            ("script", self.script), ("call", self.call), ("cost", str(self.cost)),
            ("deals", self._name_source()), *([("solved deals", self.solved)] if self.solved else []),
            ("versions", self._name_versions()),
        ]  # fmt: skip

    @property
    def origin(self) -> str:
        """Seed, cost and versions, in one line."""
        return f"{self._name_source()}; {self.cost}; {self._name_versions()}"

    @property
    def short_origin(self) -> str:
        """Number of deals, time, seed and version, in one short line."""
        cost = [format_count(self.cost.deals, "deal")] if self.cost.deals else []
        cost += [format_duration(1e9 * self.cost.seconds)] if self.cost.seconds else []
        version = f"dealerkit {self.versions['dealerkit']}"
        return "; ".join(filter(None, [", ".join(cost), self._name_source(), version]))

    def _name_source(self) -> str:
        """Return the deals in words: of a seed, given, or all deals if counted; and predealt cards."""
        predeal = self.arguments.get("predeal") or {}
        cards = "".join(f", {seat} has {_name_cards(hand)}" for seat, hand in predeal.items())
        if not self.cost.deals:
            return f"all deals{cards}"
        if self.seed in DEFAULT_SEEDS.values():
            return f"default seed{cards}"
        return "given deals" if self.seed is None else f"seed {self.seed}{cards}"

    def _name_versions(self) -> str:
        return f"dealerkit {self.versions['dealerkit']}, deals of version {self.versions['deals']}"

    def __str__(self) -> str:
        return f"{shorten(' '.join(self.script.split()), 200)}; {self.origin}"


def _name_cards(predealt: Any) -> str:
    """Return the predealt cards and lengths of a seat in words.

    >>> _name_cards(["SAKQ", "H5"]), _name_cards({"hearts": 6})
    ('SAKQ, H5', '6 hearts')
    """
    if isinstance(predealt, Mapping):
        return ", ".join(f"{length} {suit}" for suit, length in predealt.items())
    if isinstance(predealt, str) or not is_listing(predealt):
        return str(predealt)
    return ", ".join(map(_name_cards, predealt))


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class RepeatableResult(Shown):
    """A result of a study that stores the call that repeats it.

    Attributes
    ----------
    provenance : Provenance or None
        None: the result does not come from a call of a study.
    """

    provenance: Provenance | None = None

    if TYPE_CHECKING:

        @property
        def frame(self) -> pd.DataFrame:
            """The numbers, for most results."""

    def to_frame(self) -> pd.DataFrame:
        """Return `frame` with its index as columns."""
        return self.frame.reset_index()

    def _list_facts(self) -> list[tuple[str, str]]:
        """Return how the study was computed, as terms with their descriptions."""
        return [] if self.provenance is None else self.provenance.list_facts()


def list_samples(seed: int | None, deals: Any, solved: Iterable[str] = ()) -> frozenset[str]:
    """Return the samples of a study: the given deals, or those of a seed and the solved deals it used.

    >>> sorted(list_samples(7, None, ["the shipped sample"]))
    ['seed 7', 'the shipped sample']
    """
    if isinstance(deals, Deals):
        return DealsSource(deals).samples
    name = "the default seed" if seed in DEFAULT_SEEDS.values() else f"seed {seed}"
    return frozenset({name, *solved})


def set_samples(values: Any, samples: frozenset[str]) -> Any:
    """Return estimates, also those of a mapping or a dataclass, with their samples.

    >>> set_samples({"makes": Estimate(0.5, 0.1, 0.3, 0.7, 20)}, frozenset({"seed 7"}))["makes"].samples
    frozenset({'seed 7'})
    """
    if isinstance(values, Estimate):
        return replace(values, samples=samples)
    if isinstance(values, Mapping):
        return {name: set_samples(value, samples) for name, value in values.items()}
    if is_dataclass(values) and not isinstance(values, type):
        parts = {each.name: set_samples(getattr(values, each.name), samples) for each in fields(values)}
        return replace(values, **parts)
    return values


P = ParamSpec("P")
R = TypeVar("R", bound=RepeatableResult)


def repeatable(study: Callable[P, R]) -> Callable[P, R]:
    """Add to the results of a study the provenance with its call.

    >>> from dealerkit.studies.tables import break_even
    >>> break_even("4S", "3S").provenance.call
    "dk.break_even(contract='4S', other='3S', vulnerable=False, scoring='imps')"
    """
    parameters = signature(study)

    @wraps(study)
    def call(*args: P.args, **options: P.kwargs) -> R:
        try:
            bound = parameters.bind(*args, **options)
        except TypeError:
            return study(*args, **options)  # this raises an error that names the function
        bound.apply_defaults()
        for name, value in bound.arguments.items():
            if isinstance(value, Iterator):  # can be read once only
                bound.arguments[name] = list(value)
            elif parameters.parameters[name].kind is Parameter.VAR_KEYWORD:
                value.update((key, list(each)) for key, each in value.items() if isinstance(each, Iterator))
        result = study(*bound.args, **bound.kwargs)
        arguments = {
            name: read_text(value) if isinstance(value, os.PathLike) else value
            for name, value in bound.arguments.items()
            if name not in WITHOUT_EFFECT
            and not (is_empty(value) and is_empty(parameters.parameters[name].default))
        }
        for parameter in parameters.parameters.values():
            if parameter.kind is Parameter.VAR_KEYWORD:
                given: Any = arguments.pop(parameter.name, {})
                arguments |= given
        seed = getattr(result, "seed", None)
        if seed is not None:
            arguments["seed"] = seed  # the random seed, if the call had none
        source = Provenance("", seed, arguments, function=study.__name__)
        return replace(result, provenance=source)

    return call
