"""Files that a script includes with ``#include "script/NAME"`` or ``Import,URL``; nothing is downloaded."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from dealerkit.appearance.wording import join_words
from dealerkit.errors import ArgumentError, FileError, ScriptError, describe_system_error, quote, suggest_name
from dealerkit.language.scenarios import unwrap
from dealerkit.language.source import MAX_BYTES, ScriptSource, decode_script

MAX_DEPTH = 8  # number of files that include one another
MAX_INCLUDED_BYTES = 4 * MAX_BYTES  # size of all included files; one that is included twice counts twice

_QUOTED = re.compile(r'#include\s*"([^"]*)"\s*(?:(?://|/\*|#).*)?')
_FOLLOWED = re.compile(r'#include\s*"([^"]*)"\s*[;,.].*')
_QUOTES = "\"'<>\u201c\u201d\u201e\u2018\u2019"
_MISSPELT = re.compile(
    rf"#include\s*(?:[{_QUOTES}](?P<quoted>[^{_QUOTES}]*)[{_QUOTES}]?|(?P<bare>\S*[/\\]\S+))"
)
_CONTROL = re.compile("[\0-\x08\x0e-\x1f]")


class _Request(NamedTuple):
    """The possible names of an included file, the best first, and the `url` of an Import line."""

    names: tuple[str, ...]
    url: str = ""


class Includes:
    """The files that one script includes: the folders that are searched, and the files that are open.

    Parameters
    ----------
    file : str or None
        The script's file, whose folder is searched. For a script without a file, no folder is searched,
        because its text may come from anyone.
    folders : sequence of str or os.PathLike, or None
        Further folders to search, which the caller trusts; None: no file is included at all.

    Raises
    ------
    ArgumentError
        `folders` is not a list of folders.
    FileError
        One of the folders does not exist.
    """

    def __init__(self, file: str | None, folders: Sequence[str | os.PathLike[str]] | None = ()) -> None:
        self.is_allowed = folders is not None
        folders = () if folders is None else folders
        if isinstance(folders, str | bytes | os.PathLike):
            folders = (os.fsdecode(folders),)
        try:
            self.folders = [Path(folder) for folder in folders]
        except TypeError:
            raise ArgumentError(f"include is {quote(folders)}; it must be a list of folders") from None
        for folder in self.folders:
            try:
                is_folder = folder.is_dir()
            except OSError:  # its name is too long
                is_folder = False
            if not is_folder:
                raise FileError(f"{folder}: there is no folder of this name to search for included files")
        self.file = file
        self.open: list[tuple[Path | None, str]] = []  # the files being read, each with its name for messages
        self.remaining = MAX_INCLUDED_BYTES

    def find_request(self, line: str, source: ScriptSource, offset: int) -> _Request | None:
        """Return which file a line includes; None if the line is a comment.

        Raises
        ------
        ScriptError
            The line looks like an include but is written incorrectly.
        """
        line = line.rstrip()
        # An Import line of BBOalert has the address of a file.
        if line.startswith("Import"):
            url = next((part for part in re.split(r",(?=\s*[a-z]+://)", line, maxsplit=1)[1:]), "")
            url = (url or line.rpartition(",")[2]).strip()
            names = _list_names(url)
            if not names:
                raise source.error("Import needs an address: Import,https://.../script/NAME", offset)
            return _Request(names, url)
        if source.text[source.text.rfind("\n", 0, offset) + 1 : offset].strip():
            return None  # after code it is a comment
        # An #include line has the name of a file in straight quotes, followed by nothing but a comment.
        if match := _QUOTED.fullmatch(line):
            return _Request((match[1].strip(),))
        if match := _FOLLOWED.fullmatch(line):
            raise source.error(f'nothing but a comment may follow: #include "{match[1]}"', offset)
        if match := _MISSPELT.fullmatch(line):
            name = (match["quoted"] or match["bare"] or "").strip(_QUOTES) or "script/NAME"
            raise source.error(f'write #include "{name}", in straight double quotes', offset)
        return None

    def read(self, request: _Request, source: ScriptSource, offset: int) -> ScriptSource:
        """Open an included file and return its source; call `close` when it has been read.

        Raises
        ------
        ScriptError
            The file does not exist, is outside the folders, includes itself, is not a text, is too large, or
            is a complete scenario. The place of the error is that of the include.
        """
        if not self.is_allowed:
            raise source.error(
                "a script that is not trusted cannot include files; copy the text of the file here", offset
            )
        if not self.open:
            main = Path(self.file) if self.file else None
            self.open.append((_resolve(main) if main else None, self.file or "the script"))
        path, target = self._find(request, source, offset)
        name = _show(path)
        if any(target == other for other, _ in self.open):
            chain = [shown for _, shown in self.open] + [name]
            raise source.error(f"{name} includes itself: {' includes '.join(chain)}", offset)
        if len(self.open) > MAX_DEPTH:
            raise source.error(f"included files are nested more than {MAX_DEPTH} deep", offset)
        text = self._read_text(target, name, source, offset)
        self.open.append((target, name))
        return ScriptSource(text, source.rules, name, main=source.main)

    def close(self) -> None:
        """Mark the file that was opened last as read."""
        self.open.pop()

    # ---------------------------------------------------------------- folders
    def _list_folders(self) -> list[Path]:
        """Return the folders to search, in this order."""
        folders = []
        if len(self.open) > 1:
            folders.append(self.open[-1][0].parent)  # type: ignore[union-attr]
        if self.file:
            folders.append(Path(os.path.abspath(Path(self.file).parent)))
        return list(dict.fromkeys([*folders, *self.folders]))

    def _find(self, request: _Request, source: ScriptSource, offset: int) -> tuple[Path, Path]:
        """Return the path of a file, and its path without symbolic links."""
        folders = self._list_folders()
        roots = [_resolve(folder) for folder in folders]
        for name in request.names:
            parts = _split_name(name)
            if isinstance(parts, str):
                raise source.error(f"'{name[:80]}' {parts}; an include is a file such as script/NAME", offset)
            for path in _list_candidates(folders, parts):
                if not _is_file(path):
                    continue
                target = _resolve(path)
                if not any(target.is_relative_to(root) for root in roots):
                    message = (
                        f"'{name[:80]}' is a symbolic link out of the folders of the script, to {target}"
                    )
                    raise source.error(f"{message}; copy the file, or give its folder with --include", offset)
                return path, target
        raise source.error(self._describe_missing(request, folders), offset)

    def _describe_missing(self, request: _Request, folders: Sequence[Path]) -> str:
        """Return the message about a file that does not exist."""
        name = request.names[0]
        above = (
            "the folder that has it" if "/" not in name else f"the folder that has {name.rpartition('/')[0]}"
        )
        option = f'give {above} with --include DIR, in Python include=["DIR"]'
        if request.url:
            place = ""
            if folders:
                known = next((folder for folder in folders if (folder / name).parent.is_dir()), folders[0])
                place = f" as {known / name}"
            return f"nothing is downloaded: save {request.url}{place}{', or' if place else ', and'} {option}"
        if not folders:
            return f"a script that is not in a file can only include files from given folders; {option}"
        shown = join_words([str(folder) for folder in folders])
        message = f"there is no file {name[:200]} (searched in {shown})"
        if any((folder / name).is_dir() for folder in folders if len(name) < 200):
            return f"{message}; {name[:200]} is a folder; an include is a file such as script/NAME"
        for folder in folders:
            directory = (folder / name).parent
            if directory.is_dir():
                files = [path.name for path in directory.iterdir() if path.is_file()]
                if close := suggest_name(Path(name).name, files):
                    return message + close
        return f"{message}; {option}"

    # ---------------------------------------------------------------- files
    def _read_text(self, path: Path, name: str, source: ScriptSource, offset: int) -> str:
        # Read no more bytes than a script may have.
        try:
            with path.open("rb") as stream:
                content = stream.read(MAX_BYTES + 1)
        except OSError as reason:
            raise source.error(f"{name} cannot be read: {describe_system_error(reason)}", offset) from None
        self.remaining -= len(content)
        if len(content) > MAX_BYTES:
            raise source.error(f"{name} is larger than {MAX_BYTES:,} bytes; it is not a script", offset)
        if self.remaining < 0:
            raise source.error(f"the included files are larger than {MAX_INCLUDED_BYTES:,} bytes", offset)
        # The text must be a script and not a complete scenario.
        text = decode_script(content)
        if _CONTROL.search(text):
            raise source.error(f"{name} is a binary file, not a text", offset)
        try:
            is_scenario = unwrap(ScriptSource(text, source.rules, name)) is not None
        except ScriptError:
            is_scenario = True
        if is_scenario:
            raise source.error(
                f"{name} is a complete scenario (it calls setDealerCode), which cannot be included", offset
            )
        return text


def _list_names(url: str) -> tuple[str, ...]:
    """Return possible names of the file at an address, from the folder of its collection on, longest first.

    >>> _list_names("https://github.com/someone/scenarios/blob/main/script/Calm")
    ('script/Calm', 'Calm')
    """
    parts = urlsplit(url)
    path = [part for part in unquote(parts.path).split("/") if part]
    if ".." in path:
        return ("/".join(path),)  # refused later, with a message
    if parts.netloc.endswith("githubusercontent.com"):
        path = path[3:] if path[2:4] != ["refs", "heads"] else path[5:]
    elif len(path) > 4 and path[2] in ("blob", "raw", "tree"):
        path = path[4:]
    elif parts.netloc:
        path = path[-2:]
    return tuple(dict.fromkeys("/".join(path[start:]) for start in range(len(path))))


def _resolve(path: Path) -> Path:
    return Path(os.path.realpath(path))


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):  # a name that is too long
        return False


def _show(path: Path) -> str:
    """Return the name of a file for messages, relative to the current folder if the file is below it."""
    absolute, current = Path(os.path.abspath(path)), Path.cwd()
    return absolute.relative_to(current).as_posix() if absolute.is_relative_to(current) else str(path)


def _split_name(name: str) -> list[str] | str:
    """Return the parts of the name of an included file, or why it is refused.

    >>> _split_name("script/Calm"), _split_name("../Calm")
    (['script', 'Calm'], 'leads out of the folders of the script')
    """
    path = name.replace("\\", "/")
    parts = [part for part in path.split("/") if part not in ("", ".")]
    if path.startswith(("/", "~")) or re.match("[A-Za-z]:", path):
        return "is not below the folders of the script"
    if ".." in parts:
        return "leads out of the folders of the script"
    if not parts:
        return "is not a name"
    if any(part.startswith(".") for part in parts):
        return "is a hidden file"
    return parts


def _list_candidates(folders: Sequence[Path], parts: Sequence[str]) -> Iterator[Path]:
    """Yield the possible paths of a file: below each folder, also if the folder is its first part already."""
    for folder in folders:
        yield folder.joinpath(*parts)
        if len(parts) > 1 and folder.name == parts[0]:
            yield folder.joinpath(*parts[1:])
