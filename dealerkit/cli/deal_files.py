"""Files of deals that verbs read and write (`-`: standard input or output); `dealerkit convert`, `filter`."""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import os
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dealerkit.appearance.numbers import format_count
from dealerkit.cli.arguments import Verb, add_given, add_shared, describe_exit_status, find_given
from dealerkit.errors import ArgumentError, FileError, SkippedWarning
from dealerkit.runtime.files import name_in_errors
from dealerkit.runtime.temporary import open_folder

if TYPE_CHECKING:
    from dealerkit.cards.deals import Deals
    from dealerkit.formats.content import DealSupply
    from dealerkit.formats.format import Format
    from dealerkit.formats.library import Library
    from dealerkit.formats.partial import PartialDeals

FORMATS = (  # formats that can be written
    "pbn, lin, rbn, rbx, oneline, csv, bigdeal, parquet, dup, dlm, bri, dge, ber, bhg, rzd, cds, zrd, zdd, "
    "gib, dl52"
)
_N_REASONS = 5  # reasons that are printed for boards that could not be read


# ------------------------------------------------------------ files


def add_input_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments about input files."""
    add_shared(parser, "--from", "--distinct")
    add_shared(
        parser,
        "--first-board",
        help="number of the first board, for files of dealing machines without board numbers (default: 1)",
    )
    add_shared(parser, "--first", help="zdd: number of the first deal in Pavlicek's library")


def add_output_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the format of the output and what is written in addition to deals."""
    parser.add_argument(
        "--format",
        metavar="FORMAT",
        help=f"format of the output: {FORMATS} (default: by the suffix of its name, pbn for -)",
    )
    add_shared(parser, "--event")


@contextlib.contextmanager
def open_inputs(
    names: Sequence[str], options: argparse.Namespace, output: Output | None = None
) -> Iterator[list[Library]]:
    """Yield the libraries of files of deals, and of the files in folders.

    Files in a folder that are not files of deals are listed on standard error.

    Raises
    ------
    FileError, ArgumentError
        A file cannot be read, or has no readable deal; a folder has no file of deals.
    """
    if names.count("-") > 1:
        raise ArgumentError("standard input, -, can be read only once; name it once")
    if options.first is not None and len(names) > 1:
        raise ArgumentError("--first is for one file; convert such files one by one")
    # Read each file in its own format; an unreadable board is listed, a file without any board an error.
    libraries = []
    refused: list[str] = []
    with contextlib.ExitStack() as stack:
        for name in names:
            if not Path(name).is_dir():
                libraries.append(read_input(stack, name, options, output))
                continue
            for file in list_files(name):
                try:
                    libraries.append(read_input(stack, str(file), options, output))
                except FileError as error:
                    refused.append(str(error).partition("; ")[0])
        if not libraries:
            raise FileError(f"{names[0]}: no file of the folder has deals{_list_reasons(refused)}")
        yield libraries
    if refused:
        print(f"{format_count(len(refused), 'file')} not read:{_list_reasons(refused)}", file=sys.stderr)


def list_files(folder: str) -> list[Path]:
    """Return the files of a folder in the order of their names, without hidden ones; a FileError if none."""
    with name_in_errors(folder):
        files = sorted(path for path in Path(folder).iterdir() if path.is_file() and path.name[:1] != ".")
    if not files:
        raise FileError(f"{folder}: there are no files in this folder")
    return files


def _list_reasons(reasons: Sequence[str]) -> str:
    """Return lines with the first few reasons."""
    lines = [f"\n  {reason}" for reason in reasons[:_N_REASONS]]
    more = len(reasons) - _N_REASONS
    return "".join(lines) + (f"\n  and {format_count(more)} more" if more > 0 else "")


def read_input(
    stack: contextlib.ExitStack, name: str, options: argparse.Namespace, output: Output | None = None
) -> Library:
    """Return the library of a file; `--first` is the number of the first deal of a .zdd file.

    Raises
    ------
    FileError, ArgumentError
        The file cannot be read, or has no readable deal.
    """
    from dealerkit.formats.format import find_format, get_format
    from dealerkit.formats.library import read

    path = locate_input(stack, name)
    with restate_errors(path, name):
        form = options.source_format
        first, first_board = (getattr(options, key, None) for key in ("first", "first_board"))
        entry = find_format(path) if form is None else get_format(form)
        if first is not None and output is not None and "first" in output.entry.write_options:
            output.settings["first"] = first
        elif first is not None and "first" not in entry.read_options:
            raise ArgumentError(f"--first is for .zdd files, and this is {entry.name}")
        if first_board is not None and "first_board" not in entry.read_options:
            raise ArgumentError(
                f"--first-board is for files without numbers of boards, and this is {entry.name}"
            )
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SkippedWarning)  # `report_skipped` lists them
            first = first if "first" in entry.read_options else None
            library = read(path, entry.name, distinct=options.distinct, first=first, first_board=first_board)
    if not len(library) and library.content.skipped:
        line, reason = library.content.skipped[0]
        place = f"{library.content.place} {line}"
        raise FileError(f"{show_name(name)}: no board can be read; {place}: {reason}{_advise([library])}")
    return library


def read_partial_inputs(names: Sequence[str], options: argparse.Namespace) -> PartialDeals:
    """Return the boards of files, and of the files in folders, with the cards that are known.

    Raises
    ------
    FileError, ArgumentError
        A file cannot be read, or no board has cards.
    """
    from dealerkit.formats.library import read
    from dealerkit.formats.partial import PartialDeals

    if names.count("-") > 1:
        raise ArgumentError("standard input, -, can be read only once; name it once")
    parts = []
    files = [str(file) for name in names for file in (list_files(name) if Path(name).is_dir() else [name])]
    settings = {name: getattr(options, name) for name in ("first", "first_board")}
    with contextlib.ExitStack() as stack, warnings.catch_warnings():
        warnings.simplefilter("ignore", SkippedWarning)  # what is skipped is listed below
        for name in files:
            path = locate_input(stack, name)
            with restate_errors(path, name):
                form = options.source_format
                parts.append(read(path, form, distinct=options.distinct, partial=True, **settings))
    boards = PartialDeals.concatenate(parts)
    if not len(boards):
        raise FileError(f"{show_name(names[0])}: no board has cards that are known")
    skipped = boards.skipped.itertuples(index=False)
    if lines := [f"{name}, line {line}: {reason}" for name, line, reason in skipped]:
        print(f"{count_boards(len(lines))} skipped:{_list_reasons(lines)}", file=sys.stderr)
    return boards


def locate_input(stack: contextlib.ExitStack, name: str) -> Path:
    """Return the path of an input; standard input and pipes are stored in a temporary file first."""
    if name != "-" and not Path(name).is_fifo():
        return Path(name)
    if name == "-" and sys.stdin is None:
        raise FileError("standard input is closed; give the name of a file")
    import shutil

    path = Path(stack.enter_context(open_folder()), show_name(Path(name).name))
    with path.open("wb") as file:
        if name == "-":
            shutil.copyfileobj(sys.stdin.buffer, file)
        else:
            with name_in_errors(name), open(name, "rb") as pipe:
                shutil.copyfileobj(pipe, file)
    return path


def show_name(name: str) -> str:
    """Return the name of an input as messages show it."""
    return "standard input" if name == "-" else name


@contextlib.contextmanager
def restate_errors(path: Path, name: str) -> Iterator[None]:
    """Raise errors of a reader again with the file that the user named and the format of the input."""
    try:
        yield
    except (ArgumentError, FileError) as error:
        parts = [
            part.replace(str(path), show_name(name))
            if isinstance(part, str)
            else dataclasses.replace(part, name=part.name.replace("format", "source_format"))
            for part in error.parts
        ]
        raise type(error)(*parts) from None


class Output:
    """A file of deals that a verb writes, or standard output.

    Parameters
    ----------
    name : str
        ``-`` is standard output.
    form : str or None
        Name of the format; None: by the suffix of the name, PBN for standard output.
    **settings
        Options of the format; None omits one.

    Raises
    ------
    ArgumentError, FileError
        The format is unknown, cannot be written or lacks an option; or the folder does not exist. The error
        is raised before the work is done.
    """

    def __init__(self, name: str, form: str | None, **settings: Any) -> None:
        from dealerkit.formats.format import check_options, find_writer

        self.name = name
        if form is None and name == "-":
            form = "pbn"
        self.entry: Format = find_writer(name, form)
        self.settings = {key: value for key, value in settings.items() if value is not None}
        check_options(self.entry, self.settings, self.entry.write_options)
        if name != "-":
            check_target(Path(name))
        elif not self.entry.is_text and sys.stdout.isatty():
            raise ArgumentError(
                f"{self.entry.name} is not text, which a terminal could show; give the name of a file"
            )

    def write(self, deals: DealSupply) -> None:
        """Write the deals; the file appears under its name only when it is complete."""
        assert self.entry.write is not None
        write = self.entry.write
        self._store(lambda path: write(deals, path, **self.settings))

    def write_partial(self, boards: PartialDeals) -> None:
        """Write boards with unknown cards."""
        self._store(lambda path: boards.write(path, self.entry.name))

    def _store(self, write: Callable[[str | Path], None]) -> None:
        """Write the file, or standard output."""
        if self.name != "-":
            write(self.name)
            return
        import shutil

        with open_folder() as folder:
            path = Path(folder, "standard output")
            write(path)
            sys.stdout.flush()
            with path.open("rb") as file:
                shutil.copyfileobj(file, sys.stdout.buffer)
            sys.stdout.buffer.flush()

    def __str__(self) -> str:
        return "standard output" if self.name == "-" else self.name


def check_target(path: Path) -> None:
    """Raise FileError if no file can be written under this name."""
    if path.is_dir():
        raise FileError(f"{path}: this is a folder; give the name of a file")
    if not path.parent.is_dir():
        raise FileError(f"{path}: there is no folder {path.parent}; create it first")
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        raise FileError(f"{path}: the {'file' if path.exists() else 'folder'} cannot be written")


def check_different(switch: str, name: str, *others: str | None) -> None:
    """Raise ArgumentError if the file of a switch is also another file of the command."""
    for other in others:
        if other not in (None, "-") and os.path.realpath(name) == os.path.realpath(other):
            raise ArgumentError(f"{switch}: {name} is another file of this command; give another name")


def write_joined(libraries: Sequence[Library], output: Output) -> None:
    """Write the deals of several libraries."""
    from dealerkit.formats.library import JoinedDeals

    output.write(JoinedDeals(libraries))


def report_skipped(libraries: Sequence[Library]) -> None:
    """Print on standard error how many boards could not be read, and where the first few are."""
    skipped = [
        (library.content.name, f"{library.content.place} {line}", reason)
        for library in libraries
        for line, reason in library.content.skipped
    ]
    if not skipped:
        return
    lines = [f"{name}, {place}: {reason}" for name, place, reason in skipped]
    reasons = _list_reasons(lines)
    print(f"{count_boards(len(skipped))} skipped:{reasons}{_advise(libraries)}", file=sys.stderr)


def _advise(libraries: Sequence[Library]) -> str:
    """Return what can be done about boards with unknown cards, or ""."""
    from dealerkit.formats.library import is_partial

    if not any(is_partial(row) for library in libraries for row in library.content.skipped):
        return ""
    return (
        "\nSome cards are unknown: `dealerkit deal --from FILE` deals them; `sheet` and `convert` keep such "
        "boards with --partial"
    )


def count_boards(number: int) -> str:
    """Return a number of boards in words, as ``1 board``."""
    return format_count(number, "board")


def solve_deals(deals: Deals, threads: int | None) -> Any:
    """Return tables of tricks, int8 [n, 5, 4], with a progress bar on a terminal."""
    from dealerkit.doubledummy.lookup import look_up_tables

    return look_up_tables(deals, threads=threads)


# ------------------------------------------------------------ convert


def _add_convert_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the verb."""
    parser.add_argument(
        "input", nargs="+", metavar="INPUT", help="a file of deals, or a folder of them; - is standard input"
    )
    parser.add_argument(
        "output",
        metavar="OUTPUT",
        help="the file to write; - is standard output; for a folder, such as new/, one file per input",
    )
    add_input_arguments(parser)
    add_shared(parser, "--partial")
    add_output_arguments(parser)


def _run_convert(options: argparse.Namespace) -> int:
    """Convert; return the exit status."""
    if options.partial:
        _convert_partial(options)
        return 0
    if os.path.isdir(options.output) or options.output.endswith(("/", os.sep)):
        _convert_each(options)
        return 0
    output = Output(options.output, options.format, event=options.event)
    with open_inputs(options.input, options, output) as libraries:
        total = sum(map(len, libraries))
        write_joined(libraries, output)
        print(f"{count_boards(total)} written to {output}", file=sys.stderr)
        report_skipped(libraries)
    return 0


def _convert_partial(options: argparse.Namespace) -> None:
    """Write boards with unknown cards."""
    from dealerkit.formats.partial import WRITTEN

    output = Output(options.output, options.format)
    if output.entry.name not in WRITTEN:
        raise ArgumentError(
            f"--partial: {output.entry.name} cannot store unknown cards; write PBN, LIN or CSV, such as "
            "lesson.pbn"
        )
    if options.event is not None:
        raise ArgumentError("--event cannot be written with --partial; leave out one of them")
    check_different("OUTPUT", options.output, *options.input)
    boards = read_partial_inputs(options.input, options)
    output.write_partial(boards)
    print(f"{count_boards(len(boards))} written to {output}", file=sys.stderr)


def _convert_each(options: argparse.Namespace) -> None:
    """Write a file for each input into a folder, in the format given by --format."""
    if options.format is None:
        raise ArgumentError(
            f"{options.output} is a folder; give the format of its files, such as --format pbn"
        )
    folder = Path(options.output)
    names = [
        str(file) for name in options.input for file in (list_files(name) if Path(name).is_dir() else [name])
    ]
    # Each output has the name of its input with another suffix, and must not be an input.
    suffix = Output("-", options.format).entry.suffixes[0] if options.format else ""
    outputs: dict[Path, str] = {}
    for name in names:
        target = folder / f"{Path(show_name(name)).stem}{suffix}"
        if target in outputs:
            raise ArgumentError(
                f"{outputs[target]} and {name} would both be written to {target}; convert them one by one"
            )
        if any(os.path.realpath(target) == os.path.realpath(other) for other in names):
            raise ArgumentError(f"{target} is an input; give another folder")
        outputs[target] = name
    with name_in_errors(folder):
        folder.mkdir(parents=True, exist_ok=True)
    # A file without deals is listed if it is in a folder, and is an error if it was named.
    refused: list[str] = []
    n_boards = n_files = 0
    for target, name in outputs.items():
        output = Output(str(target), options.format, event=options.event)
        try:
            with open_inputs([name], options, output) as libraries:
                write_joined(libraries, output)
                n_boards, n_files = n_boards + len(libraries[0]), n_files + 1
                report_skipped(libraries)
        except (FileError, ArgumentError) as error:
            if name in options.input:
                raise
            refused.append(str(error).partition("; ")[0])
    if refused:
        print(f"{format_count(len(refused), 'file')} not converted:{_list_reasons(refused)}", file=sys.stderr)
    files = format_count(n_files, "file")
    print(f"{count_boards(n_boards)} written to {files} of {options.output}", file=sys.stderr)


CONVERT = Verb(
    "convert",
    "write files of deals in another format",
    "Write the boards of one or several files of deals to one file, in the format given by the suffix of "
    "its name: .pbn, .lin, .rbn, .rbx, .txt (dealer's printoneline), .csv, .tsv, .parquet, .zrd, .zdd, .dat "
    "(library.dat), .dl52; and for dealing machines .dup, .dlm, .bri, .dge, .ber, .bhg, .rzd, .cds. For a "
    "folder "
    "as input, all its files of deals are read. Boards that cannot be read are listed on standard "
    "error.",
    _add_convert_arguments,
    _run_convert,
    describe_exit_status(),
    examples=(
        "dealerkit convert evening.lin evening.pbn",
        "dealerkit convert monday.pbn friday.pbn all.csv",
    ),
)


# ------------------------------------------------------------ filter


def _add_filter_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the verb."""
    parser.add_argument("file", nargs="+", metavar="FILE", help="a file of deals; - is standard input")
    add_given(
        parser,
        help="a condition of the dealer language, such as 'hcp(north) > 15 and dds(north, notrump) >= 9'",
    )
    parser.add_argument(
        "-o", "--output", metavar="FILE", default="-", help="the file to write (default: standard output)"
    )
    add_shared(parser, "--param")
    add_input_arguments(parser)
    add_output_arguments(parser)


def _run_filter(options: argparse.Namespace) -> int:
    """Select and write; return the exit status."""
    from dealerkit.language.script_variables import parse_variables

    given = find_given(options)
    if given is None:
        raise ArgumentError("--given is missing; it is the condition for the boards to write")
    output = Output(options.output, options.format, event=options.event)
    params = parse_variables(options.params)
    with open_inputs(options.file, options, output) as libraries:
        chosen = [library.where(given, params=params) for library in libraries]
        total = sum(map(len, chosen))
        write_joined(chosen, output)
        n_deals = sum(map(len, libraries))
        print(
            f"{format_count(total)} of {format_count(n_deals, 'deal')} written to {output}", file=sys.stderr
        )
        report_skipped(libraries)
    return 0


FILTER = Verb(
    "filter",
    "select the deals of a file that meet a condition",
    "Write the boards that meet a condition of the dealer language, with all that the file says about "
    "them. Double-dummy results are taken from the tables of the file; deals without tables are solved.",
    _add_filter_arguments,
    _run_filter,
    describe_exit_status(),
    examples=("dealerkit filter evening.pbn --given 'hcp(north) >= 20' --format oneline",),
)
