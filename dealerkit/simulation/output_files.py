"""Files for the text of single actions and for produced deals; they change only when the run is complete."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO

from dealerkit.actions import Action
from dealerkit.cards.deals import Deals
from dealerkit.errors import ArgumentError, FileError, quote
from dealerkit.runtime.files import name_in_errors, replace_file

ACTIONS_WITH_FILES = ("csvrpt", "export")
DEAL_FILES = {"zrd": "wN", "dl52": "w"}  # as -Z and -l of DealerV2, with the letters that may precede a colon
Output = tuple[Callable[[str], Any], list[Action]]


@contextlib.contextmanager
def text_file(target: str | os.PathLike) -> Iterator[Callable[[str], Any]]:
    """Open a file for text and yield its write function. The file changes when the run is over.

    Parameters
    ----------
    target : str or os.PathLike
        ``FILE`` appends the text; ``w:FILE`` replaces what was there. To a pipe or a device, the text is
        written at once.

    Raises
    ------
    FileError
        The file cannot be written, or is being written already; raised before the run if possible.
    """
    name = os.fspath(target)
    file = name.removeprefix("w:")
    with replace_file(file) as path:
        with name_in_errors(file):
            if path != Path(file) and not name.startswith("w:") and os.path.exists(file):
                import shutil  # most runs write no file

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


def check_files(files: Any) -> dict[str, str | os.PathLike]:
    """Return the files of a run by the name of the action, or of the format of the deals."""
    files = {} if files is None else files
    if not isinstance(files, Mapping):
        raise ArgumentError(f"files is {quote(files)}; it maps actions to files, as {{'csvrpt': 'out.csv'}}")
    if unknown := sorted(files.keys() - {*ACTIONS_WITH_FILES, *DEAL_FILES}):
        raise ArgumentError(
            f"{unknown[0]!r} cannot have a file; actions with files are {', '.join(ACTIONS_WITH_FILES)}, and "
            f"deals are written to {' and '.join(DEAL_FILES)}"
        )
    return dict(files)


def open_outputs(
    printing: Sequence[Action],
    files: Mapping[str, str | os.PathLike],
    write: Callable[[str], Any],
    stack: contextlib.ExitStack,
) -> list[Output]:
    """Return the outputs for the text of each deal: a write function and the actions that use it."""
    files = {name: file for name, file in files.items() if name in ACTIONS_WITH_FILES}
    outputs: dict[str | os.PathLike, list[Action]] = {file: [] for file in files.values()}
    for action in printing:
        outputs.setdefault(files.get(action.name, ""), []).append(action)
    return [
        (stack.enter_context(text_file(file)) if file else write, actions)
        for file, actions in outputs.items()
    ]


def open_deal_files(
    files: Mapping[str, str | os.PathLike], title: str, stack: contextlib.ExitStack
) -> list[Callable[[Deals], None]]:
    """Open the files of produced deals; return functions that add deals to them.

    A file is complete when `stack` is closed, and is unchanged if the run fails.

    Parameters
    ----------
    files : mapping
        ``"zrd"``: ``FILE`` to append, ``w:FILE`` to overwrite; ``N:FILE`` and ``Nw:FILE`` without tables.
        ``"dl52"``: ``FILE`` or ``w:FILE``.
    title : str
        Written before the deals of a .zrd file.

    Raises
    ------
    FileError
        A file cannot be written, or does not consist of whole records.
    ArgumentError
        The title does not fit into title records.
    """
    chosen = DEAL_FILES.keys() & files.keys()
    if not chosen:
        return []
    from dealerkit.formats import dl52, zrd  # most runs write no such files

    n_bytes = {"zrd": zrd.RECORD_BYTES, "dl52": dl52.RECORD_BYTES}
    writers = []
    for name in chosen:
        letters, path = split_letters(os.fspath(files[name]), DEAL_FILES[name])
        file = stack.enter_context(_open_records(path, n_bytes[name], "w" in letters))
        if name == "zrd":
            file.write(zrd.encode_title(title))
        writers.append(_make_writer(name, file, path, "N" not in letters))
    return writers


def split_letters(target: str, known: str) -> tuple[str, str]:
    """Return the letters before a colon, if they are known, and the name of the file.

    >>> split_letters("Nw:deals.zrd", "wN"), split_letters("deals.zrd", "wN"), split_letters("N:deals", "w")
    (('Nw', 'deals.zrd'), ('', 'deals.zrd'), ('', 'N:deals'))
    """
    letters, colon, path = target.partition(":")
    return (letters, path) if colon and set(letters) <= set(known) else ("", target)


@contextlib.contextmanager
def _open_records(path: str, n_bytes: int, anew: bool) -> Iterator[BinaryIO]:
    """Open a file of records of equal size, to append or to overwrite."""
    with replace_file(path) as temporary, contextlib.ExitStack() as stack:
        if temporary != Path(path) and not anew and os.path.exists(path):
            size = Path(path).stat().st_size
            if size % n_bytes:
                raise FileError(
                    f"{path}: {size:,} bytes are not whole records of {n_bytes}, so deals cannot be "
                    "appended; "
                    "write another file, or overwrite this one with w: before its name"
                )
            import shutil

            with name_in_errors(path):
                shutil.copyfile(path, temporary)
        with name_in_errors(path):
            file = stack.enter_context(temporary.open("ab"))
        yield file
        with name_in_errors(path):
            file.close()  # this writes what is still buffered


def _make_writer(name: str, file: BinaryIO, path: str, solved: bool) -> Callable[[Deals], None]:
    """Return a function that appends the records of deals to a file."""
    from dealerkit.doubledummy.lookup import look_up_tables
    from dealerkit.formats import dl52, zrd

    def add(deals: Deals) -> None:
        if not len(deals):
            return
        if name == "dl52":
            records = dl52.encode_dl52(deals.hands)
        else:
            tables = look_up_tables(deals) if solved else None
            records = zrd.encode_records(deals.hands, tables)
        with name_in_errors(path):
            file.write(records)

    return add
