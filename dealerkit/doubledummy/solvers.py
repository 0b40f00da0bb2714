"""Which solver is used: the library DDS, or the one of this package.

Both give the same results. ``auto`` takes DDS where its library is installed, else the own solver, which
needs nothing but numba and so works with every Python.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from dealerkit.arguments import check_name
from dealerkit.doubledummy import library
from dealerkit.errors import FileError

ENVIRONMENT = "DEALERKIT_SOLVER"
AUTO, DDS, OWN = SOLVERS = ("auto", "dds", "own")
_chosen: ContextVar[str | None] = ContextVar("solver", default=None)


@contextmanager
def use_solver(solver: Any) -> Iterator[None]:
    """Use a solver inside the ``with`` statement, in this thread.

    Parameters
    ----------
    solver : {"auto", "dds", "own"} or None
        None: that of an outer statement, else of the variable ``DEALERKIT_SOLVER``, else ``auto``.

    Raises
    ------
    ArgumentError
        Another name.

    Examples
    --------
    >>> with use_solver("own"):
    ...     choose_solver()
    'own'
    """
    if solver is None:
        yield
        return
    token = _chosen.set(check_name("solver", solver, SOLVERS))
    try:
        yield
    finally:
        _chosen.reset(token)


def current_solver() -> str:
    """Return the name that applies here: ``auto``, ``dds`` or ``own``.

    Raises
    ------
    ArgumentError
        The environment variable has another value.
    """
    return _chosen.get() or check_name(ENVIRONMENT, os.environ.get(ENVIRONMENT) or AUTO, SOLVERS)


def choose_solver() -> str:
    """Return which solver a calculation takes now, ``dds`` or ``own``.

    A library that the user has named (``DEALERKIT_DDS``) is always tried, so that a wrong path is noticed.
    """
    name = current_solver()
    if name != AUTO:
        return name
    try:
        library.library_path()
    except FileError:
        return OWN
    return DDS


def describe_solver() -> str:
    """Return the solver that a calculation takes now, for a footnote: ``DDS 2.9`` or ``dealerkit``."""
    return "DDS 2.9" if choose_solver() == DDS else "dealerkit"
