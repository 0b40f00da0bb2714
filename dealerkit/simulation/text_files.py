"""Files for the text of single actions; a file changes only when the run is complete."""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from dealerkit.actions import Action
from dealerkit.errors import ArgumentError
from dealerkit.simulation.deal_files import DEAL_FILES
from dealerkit.system.files import name_in_errors, replace_file

ACTIONS_WITH_FILES = ("csvrpt", "export")


@contextlib.contextmanager
def text_file(target: str | os.PathLike) -> Iterator[Callable[[str], Any]]:
    """Open a file for text; yield its write function. The file changes when the run is over.

    Parameters
    ----------
    target : str or os.PathLike
        ``FILE``: the text is appended; ``w:FILE``: it replaces what was there. If it is a
        pipe or a device the text is written there at once.

    Raises
    ------
    FileError
        The file cannot be written, or is being written already; where possible before the run.
    """
    name = os.fspath(target)
    file = name.removeprefix("w:")
    with replace_file(file) as path:
        with name_in_errors(file):
            if path != Path(file) and not name.startswith("w:") and os.path.exists(file):
                shutil.copyfile(file, path)
            stream = path.open("a", encoding="utf-8", newline="")

        def write(text: str) -> None:
            with name_in_errors(file):
                stream.write(text)

        try:
            yield write
        finally:
            with name_in_errors(file):
                stream.close()


Output = tuple[Callable[[str], Any], list[Action]]


def check_files(files: Any) -> dict[str, str | os.PathLike]:
    """Return the files of a run by the name of the action, or of the format of deals."""
    files = {} if files is None else files
    if not isinstance(files, Mapping):
        raise ArgumentError(f"files is {files!r:.60}; it maps actions to files, as {{'csvrpt': 'out.csv'}}")
    if unknown := sorted(files.keys() - {*ACTIONS_WITH_FILES, *DEAL_FILES}):
        raise ArgumentError(
            f"{unknown[0]!r} has no file; actions with files are {', '.join(ACTIONS_WITH_FILES)}, and "
            f"deals are written to {' and '.join(DEAL_FILES)}"
        )
    return dict(files)


def open_outputs(
    printing: Sequence[Action],
    files: Mapping[str, str | os.PathLike],
    write: Callable[[str], Any],
    stack: contextlib.ExitStack,
) -> list[Output]:
    """Return the outputs of the text of each deal: a write function and the actions that use it."""
    files = {name: file for name, file in files.items() if name in ACTIONS_WITH_FILES}
    outputs: dict[str | os.PathLike, list[Action]] = {file: [] for file in files.values()}
    for action in printing:
        outputs.setdefault(files.get(action.name, ""), []).append(action)
    return [
        (stack.enter_context(text_file(file)) if file else write, actions)
        for file, actions in outputs.items()
    ]
