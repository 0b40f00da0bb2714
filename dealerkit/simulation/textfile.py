"""Text of some actions in a file of its own, which never shows half a run."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from types import TracebackType

from dealerkit.errors import FileError


class TextFile:
    """A file that text is added to, or that is written anew; it changes when the run is over.

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

    def __init__(self, target: str | os.PathLike) -> None:
        name = os.fspath(target)
        self._anew = name.startswith("w:")
        self._place = Path(name.removeprefix("w:"))
        self._beside = self._place.with_name(f".{self._place.name}.{os.getpid()}.{id(self):x}")
        try:
            direct = self._place.exists() and not self._place.is_file()
            if self._place.is_file() and not os.access(self._place, os.W_OK):
                raise PermissionError(None, "the file cannot be written")
            if direct:
                self._beside = self._place
            self._stream = self._beside.open("w", encoding="utf-8", newline="")
        except (OSError, ValueError) as reason:
            raise self._error(reason) from reason
        self._direct = direct
        self.write = self._stream.write

    def _error(self, reason: Exception) -> FileError:
        return FileError(f"{self._place}: {getattr(reason, 'strerror', None) or reason}")

    def __enter__(self) -> TextFile:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            self._stream.close()
            if kind is not None or self._direct:
                return
            if self._anew:
                os.replace(self._beside, self._place)
            else:
                with self._beside.open("rb") as text, self._place.open("ab") as all_text:
                    shutil.copyfileobj(text, all_text)
        except OSError as reason:
            raise self._error(reason) from reason
        finally:
            if not self._direct:
                self._beside.unlink(missing_ok=True)
