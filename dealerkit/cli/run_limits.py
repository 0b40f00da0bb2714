"""Switches of `dealerkit run` for long runs and for scripts of other people."""

from __future__ import annotations

import argparse
import math
from typing import TYPE_CHECKING, Any

from dealerkit.cli.arguments import parse_count

if TYPE_CHECKING:
    from dealerkit.simulation.run_limits import RunLimits


def parse_seconds(text: str) -> float:
    """Return seconds; argparse reports an error with its switch."""
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not seconds > 0:
        raise argparse.ArgumentTypeError(f"{text!r}; it takes seconds, more than 0")
    return seconds


def _parse_megabytes(text: str) -> float:
    """Return a number of bytes."""
    try:
        n_bytes = 1e6 * float(text)
    except ValueError:
        n_bytes = 0.0
    if not 0 < n_bytes < math.inf:
        raise argparse.ArgumentTypeError(f"{text!r}; it takes megabytes, more than 0")
    return n_bytes


LIMITS: dict[str, dict[str, Any]] = {
    "--max-seconds": {
        "type": parse_seconds, "metavar": "S",
        "help": "end after this time with what there is; for scripts of other people, as the next three",
    },
    "--max-memory": {"type": _parse_megabytes, "metavar": "MB", "help": "end when the run takes this memory"},
    "--max-deals": {
        "type": parse_count, "metavar": "N", "help": "end after N deals dealt, whatever the script states",
    },
    "--max-output": {"type": parse_count, "metavar": "N", "help": "end after N characters of text"},
}  # fmt: skip

QUOTE_FORMULAS: dict[str, Any] = {
    "action": "store_true",
    "help": "put an apostrophe before cells of csvrpt that a spreadsheet would execute",
}


def collect_limits(options: argparse.Namespace) -> RunLimits | None:
    """Return the limits that the switches set; None if there are none."""
    limits = {name: getattr(options, f"max_{name}") for name in ("seconds", "memory", "deals", "output")}
    if not any(limits.values()):
        return None
    from dealerkit.simulation.run_limits import RunLimits

    return RunLimits(**limits)
