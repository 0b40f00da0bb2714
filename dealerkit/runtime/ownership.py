"""Whether only this user can have written a file or to a folder; code is loaded from no others."""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path

_OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH


def is_own(status: os.stat_result) -> bool:
    """Return whether a file or folder belongs to this user and nobody else may write to it.

    On Windows, the status of a file does not say so, and the answer is True; `is_own_folder` decides by the
    place of the folder.
    """
    if sys.platform == "win32":
        return True
    return status.st_uid == os.getuid() and not status.st_mode & _OTHERS_WRITE


def is_own_folder(path: str | os.PathLike[str]) -> bool:
    """Return whether a folder belongs to this user, and nobody else may write to it or replace it.

    Whoever may write to a folder above it may rename it and put another folder in its place, unless the
    folder above has the sticky bit, as /tmp has. On Windows, where the status of a folder does not show
    permissions, the answer is True for folders below the user's own folder or in this package.
    """
    folder = Path(os.path.realpath(path))
    try:
        if sys.platform == "win32":
            roots = Path.home(), Path(__file__).parents[1]
            return folder.is_dir() and any(
                folder.is_relative_to(os.path.realpath(root)) for root in roots if root != Path(root.anchor)
            )
        return is_own(os.stat(folder)) and not any(_can_be_renamed_in(above) for above in folder.parents)
    except (OSError, RuntimeError):  # RuntimeError if the user has no home folder
        return False


def _can_be_renamed_in(folder: Path) -> bool:
    """Return whether users other than the owner of a folder may rename what is in it."""
    status = os.stat(folder)
    if status.st_mode & stat.S_ISVTX:
        return False
    # On systems with a group for each user, both have the same number.
    is_private_group = status.st_gid == status.st_uid == os.getuid()  # type: ignore[attr-defined,unused-ignore]
    return bool(status.st_mode & (stat.S_IWOTH if is_private_group else _OTHERS_WRITE))
