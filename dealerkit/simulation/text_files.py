"""Text of some actions in a file of its own, which never shows half a run."""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from dealerkit.actions import Action
from dealerkit.errors import ArgumentError, FileError
from dealerkit.files import write_atomically

IN_FILES = ("csvrpt", "export")  # actions whose text may go to a file


@contextlib.contextmanager
def text_file(target: str | os.PathLike) -> Iterator[Callable[[str], Any]]:
    """A file to write text to; it changes when the run is over.

    Parameters
    ----------
    target : str or os.PathLike
        ``FILE``: the text is appended; ``w:FILE``: it replaces what was there. Where this is a
        pipe or a device the text goes there as it comes.

    Raises
    ------
    FileError
        A place that cannot be written; at once, not at the end of the run.
    """
    name = os.fspath(target)
    place = name.removeprefix("w:")
    with write_atomically(place) as path:
        if path != Path(place) and not name.startswith("w:") and Path(place).exists():
            shutil.copyfile(place, path)
        try:
            with path.open("a", encoding="utf-8", newline="") as stream:
                yield stream.write
        except OSError as reason:
            raise FileError(f"{place}: {reason.strerror or reason}") from reason


Output = tuple[Callable[[str], Any], list[Action]]


def open_outputs(
    printing: Sequence[Action],
    files: Mapping[str, str | os.PathLike],
    out: Callable[[str], Any],
    stack: contextlib.ExitStack,
) -> list[Output]:
    """Where the text of each deal goes: for each place a callable and the actions that write there."""
    if not isinstance(files, Mapping):
        raise ArgumentError(f"files is {files!r:.60}; it maps actions to files, as {{'csvrpt': 'out.csv'}}")
    if unknown := sorted(files.keys() - set(IN_FILES)):
        raise ArgumentError(f"{unknown[0]!r} has no file; actions with files are {', '.join(IN_FILES)}")
    places: dict[str | os.PathLike, list[Action]] = {place: [] for place in files.values()}
    for action in printing:
        places.setdefault(files.get(action.name, ""), []).append(action)
    return [
        (stack.enter_context(text_file(place)) if place else out, actions)
        for place, actions in places.items()
    ]
