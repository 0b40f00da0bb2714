"""`results`: files of tournaments and matches, read into one `TournamentResults`."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from dealerkit.cards.deals import Deals
from dealerkit.errors import ArgumentError, FileError, Parameter, describe_system_error, quote
from dealerkit.formats.format import HEAD_BYTES, describe_content, find_signature, is_text
from dealerkit.formats.lin import recognise_lin
from dealerkit.formats.pbn import recognise_pbn
from dealerkit.runtime.progress import long_work, track_items
from dealerkit.tournaments.checks import check_tables
from dealerkit.tournaments.contents import FileContent, Remark
from dealerkit.tournaments.frames import build_frames, count_official_decimals
from dealerkit.tournaments.lin_matches import read_lin_results
from dealerkit.tournaments.result_columns import read_csv_results
from dealerkit.tournaments.rules import EventScoring, make_rules, parse_scoring
from dealerkit.tournaments.score_tables import read_pbn_results
from dealerkit.tournaments.sessions import Joined, join_contents
from dealerkit.tournaments.standings import score_results
from dealerkit.tournaments.tournament import TournamentResults
from dealerkit.tournaments.usebio import read_usebio

SUFFIXES = (".pbn", ".lin", ".xml", ".csv")  # of the files that are read in a folder
_ACCESS = (b"Standard Jet DB", b"Standard ACE DB")
_BWS = (
    "this is an Access database, such as Bridgemate's BWS, which dealerkit does not read; export the table "
    "of results as CSV, with mdbtools: mdb-export FILE.bws ReceivedData > results.csv, and read that file"
)


@long_work
def results(
    source: str | os.PathLike | Iterable[str | os.PathLike],
    scoring: str | EventScoring | None = None,
    *,
    deals: Deals | str | os.PathLike | None = None,
    **options: Any,
) -> TournamentResults:
    r"""Read the results of tournaments and matches, and score them.

    Parameters
    ----------
    source : str, os.PathLike, or several of them
        PBN files (ScoreTable, TotalScoreTable, or a game for each table), LIN, USEBIO XML or CSV, or folders
        of such files. Several files form one population: sessions are kept apart, and players are recognised
        by number or name. The format follows from the content. All results are in memory at once, about two
        kilobytes each; `dealerkit.stream_results` reads one file after another.
    scoring : {"matchpoints", "butler", "cross-imps", "board-a-match", "team imps"} or EventScoring, optional
        None: as named in the files; otherwise IMPs between rooms for results from two rooms, and matchpoints
        for all others, with a remark.
    deals : Deals, str or os.PathLike, optional
        The cards of the boards, if the file of results has none: a file of deals of this session, matched by
        board number.
    **options
        Other rules of `EventScoring`, such as ``decimals=1`` or ``datum="median"``.

    Returns
    -------
    TournamentResults
        With four frames: results, boards, pairs, remarks.

    Raises
    ------
    FileError
        A file cannot be read or has no results; the message says what it is and gives the remedy.
    ArgumentError
        The scoring or a rule is unknown.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "evening.csv")
    ...     text = "board,ns,ew,contract,declarer,tricks\n1,1,2,4S,N,10\n1,3,4,3NT,S,9\n"
    ...     _ = path.write_text(text, encoding="utf-8", newline="")
    ...     evening = results(path, "matchpoints")
    >>> evening
    <TournamentResults: 2 results, 1 board, 4 pairs>
    >>> evening.results.mp_ns.tolist()
    [2.0, 0.0]
    """
    # Check the arguments before reading the files.
    rules = check_rules(scoring, options)
    paths = list_files(source)
    contents = [read_file(path) for path in track_items(paths, len(paths), "files")]
    if deals is not None:
        _add_deals(contents, deals)
    if not any(content.tables for content in contents):
        names = ", ".join(map(str, paths[:3]))
        raise FileError(
            f"{names}: there are no results of tables; a PBN file needs a ScoreTable, or a game with "
            "contract and result for each table"
        )
    return build_results(contents, rules, options)


def check_rules(scoring: str | EventScoring | None, options: dict[str, Any]) -> EventScoring | None:
    """Return the rules named in a call; None if the files decide the method."""
    if scoring is None and options:
        make_rules("matchpoints", **options)  # this raises an error before anything is read
    return None if scoring is None else make_rules(scoring, **options)


def build_results(
    contents: Sequence[FileContent],
    rules: EventScoring | None,
    options: dict[str, Any],
    ids: dict[str, str] | None = None,
) -> TournamentResults:
    """Return the scored results of the contents of files.

    Parameters
    ----------
    contents : sequence of FileContent
        At least one of them has results.
    rules : EventScoring, optional
        None: as named in the files, with `options`.
    options : dict
        Other rules.
    ids : dict of str to str, optional
        As for `join_contents`.
    """
    by_section = rules.by_section if rules else bool(options.get("by_section"))
    joined = join_contents(contents, by_section, ids)
    # Checks fill in missing scores, which the choice of rules may depend on.
    check_tables(joined)
    if rules is None:
        rules = make_rules(_find_rules(joined), **options)
    # Build the frames, and collect what else the files say.
    frames = build_frames(joined)
    decimals = count_official_decimals(joined)
    of_file: dict[str, Any] = {
        "winners": joined.winners,
        "carry": joined.carry,
        "decimals": _find_decimals(joined, decimals),
        "printed": decimals,
        "remarks": frames[3],
        "pairs": tuple(frames[2].columns),
    }
    read = TournamentResults(*frames, sessions=tuple(joined.sessions), of_file=of_file)
    return score_results(read, rules)


def list_files(source: Any) -> list[Path]:
    """Return the files in the argument; those of folders are in alphabetical order."""
    if isinstance(source, str | os.PathLike):
        source = [source]
    if not isinstance(source, Iterable) or isinstance(source, bytes):
        raise ArgumentError(
            Parameter("source"), f" is {quote(source)}; it must be the name of a file, or several names"
        )
    paths: list[Path] = []
    for name in source:
        if not isinstance(name, str | os.PathLike):
            raise ArgumentError(Parameter("source"), f" contains {quote(name)}; give names of files")
        path = Path(name)
        if path.is_dir():
            found = sorted(file for file in path.iterdir() if file.suffix.lower() in SUFFIXES)
            if not found:
                raise FileError(
                    f"{path}: there is no file that ends with {', '.join(SUFFIXES)} in this folder"
                )
            paths += found
        else:
            paths.append(path)
    if not paths:
        raise ArgumentError(Parameter("source"), " is empty; give the name of a file")
    return paths


def read_file(path: Path) -> FileContent:
    """Return the content of a file, from the reader that its first bytes call for."""
    try:
        with open(path, "rb") as file:
            head = file.read(HEAD_BYTES)
    except (OSError, ValueError) as reason:
        raise FileError(f"{path}: {describe_system_error(reason)}") from reason
    if not head:
        raise FileError(f"{path}: the file is empty")
    if head[4:19] in _ACCESS:
        raise FileError(f"{path}: {_BWS}")
    if kind := find_signature(head):
        raise FileError(f"{path}: {kind}")
    if not is_text(head):
        raise FileError(f"{path}: this is binary data; results are read from PBN, LIN, USEBIO XML and CSV")
    return _find_reader(path, head)(path)


def _find_reader(path: Path, head: bytes) -> Callable[[Path], FileContent]:
    """Return the reader for a text, by its beginning."""
    start = head.lstrip(b"\xef\xbb\xbf\xff\xfe \r\n\t\0")
    if start.startswith(b"<"):
        if b"usebio" in head.lower() or b"<?xml" in start[:200].replace(b"\0", b""):
            return read_usebio
        kind = "".join(map(str, describe_content(head)))
        raise FileError(f"{path}: {kind or 'this is not a file of results'}")
    if recognise_lin(head):
        return read_lin_results
    if recognise_pbn(head):
        return read_pbn_results
    return read_csv_results


def _add_deals(contents: Sequence[FileContent], source: Deals | str | os.PathLike) -> None:
    """Set the cards of boards without cards to those of the deals with the same numbers."""
    from dealerkit.formats.library import read

    deals = source if isinstance(source, Deals) else read(source).deals
    numbers = np.arange(1, len(deals) + 1) if deals.board is None else deals.board
    if len(np.unique(numbers)) < len(numbers):
        raise ArgumentError(
            Parameter("deals"), " has two deals with the same board number; give the deals of one session"
        )
    # Boards that have cards keep them.
    by_number = {int(number): place for place, number in enumerate(numbers)}
    for content in contents:
        for board in content.boards:
            place = by_number.get(board.number)
            if board.hands is not None or place is None:
                continue
            board.hands = tuple(deals.hands[place].tolist())
            if deals.tables is not None:
                board.tricks = deals.tables[place].ravel().tolist()
            if deals.dealer is not None and deals.dealer[place] >= 0:
                board.dealer = int(deals.dealer[place])
            if deals.vulnerable is not None and deals.vulnerable[place] >= 0:
                board.vulnerable = int(deals.vulnerable[place])


def _find_decimals(joined: Joined, printed: dict[str, int]) -> dict[str, int]:
    """Return the decimals of the points of boards, by unit, if the files print points."""
    found = {}
    for unit in ("mp", "imp"):
        own = [printed[name] for name in (f"{unit}_ns", f"{unit}_ew") if name in printed]
        if own:
            found[unit] = max(own)
    return found


def _find_rules(joined: Joined) -> EventScoring:
    """Return the rules named in the files; if there are none, the usual ones, with a remark."""
    # Take the rules that the files name; without them, points and rooms suggest some.
    rows = [table.row for table in joined.tables]
    rules = next(filter(None, map(parse_scoring, joined.scoring.values())), None)
    if rules is not None and (rules.method != "team imps" or _is_match(joined)):
        return rules
    if rules is not None:
        rules = EventScoring("butler")
        text = (
            "the file names IMPs but has no two rooms; each result is compared with the mean of its board, "
            "as in Butler scoring"
        )
    elif any({"mp_ns", "percent_ns"} & row.official.keys() for row in rows):
        return EventScoring()
    else:
        rules = EventScoring("team imps" if any(row.room == "closed" for row in rows) else "matchpoints")
        text = f"the file does not name the scoring; {rules.method}, usual for such results, is assumed"
    joined.remarks.append(Remark(joined.tables[0].file, 0, 0, text))
    return rules


def _is_match(joined: Joined) -> bool:
    """Return whether results are from matches: they have rooms or teams, or two pairs meet twice."""
    met: set[tuple[int, str, str]] = set()
    for table in joined.tables:
        if table.row.room or table.row.team_ns or (table.field, table.ew, table.ns) in met:
            return True
        if table.ns and table.ew:
            met.add((table.field, table.ns, table.ew))
    return False
