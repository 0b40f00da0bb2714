"""Untrusted scripts, which run in a process of their own, under limits and without included files."""

from __future__ import annotations

import os
from dataclasses import replace

from dealerkit.arguments import is_empty
from dealerkit.errors import ArgumentError, Parameter, warn_caller
from dealerkit.language.script import Script
from dealerkit.runtime.confined import MEMORY, SECONDS, Confinement
from dealerkit.simulation.job import RunOptions
from dealerkit.simulation.result import Result
from dealerkit.simulation.run_limits import RunLimits

DEFAULTS = RunLimits(seconds=SECONDS, memory=MEMORY, output=10**6)  # used if the caller sets no limit
_EXCLUDED = ("source", "solved", "executor", "frame", "checkpoint", "files", "include")


def run_untrusted(script: str | os.PathLike | Script, options: RunOptions) -> Result:
    """Run an untrusted script; see `RunOptions.untrusted`.

    Raises
    ------
    ArgumentError
        An option would read or write files, or send the run to other processes.
    TimeLimitError, MemoryLimitError
        The script reached a limit before it had a result.
    """
    options = options.checked()
    if isinstance(script, Script):
        raise ArgumentError(
            Parameter("untrusted=", True), " needs a text or a file; this script was already parsed"
        )
    for name in _EXCLUDED:
        if not is_empty(getattr(options, name)):
            raise ArgumentError(
                Parameter(f"{name}="), " cannot be combined with ", Parameter("untrusted=", True),
                "; leave one of them out",
            )  # fmt: skip
    confined = replace(
        options, limits=complete_limits(options.limits), threads=options.threads or 1, progress=False,
        write=None, write_rest=None,
    )  # fmt: skip
    uses = options.write is not None, options.write_rest is not None
    limits = confined.limits
    assert limits is not None and limits.seconds is not None and limits.memory is not None
    with Confinement("dealerkit.simulation.run", limits.seconds, limits.memory) as process:
        result, pieces, messages = process.call("run_and_record", script, confined, *uses)
    for is_rest, text in pieces:
        (options.write_rest if is_rest else options.write)(text)  # type: ignore[misc]
    for message, category in messages:
        warn_caller(message, category)
    return result


def complete_limits(limits: RunLimits | None) -> RunLimits:
    """Return limits with values for time, memory and output."""
    limits = limits or RunLimits()
    names = [name for name in ("seconds", "memory", "output") if getattr(limits, name) is None]
    return replace(limits, **{name: getattr(DEFAULTS, name) for name in names})
