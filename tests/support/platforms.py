"""What some tests need of the system: where it is missing, they are skipped with this reason."""

from __future__ import annotations

import os
import signal
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path

import pytest

from dealerkit.runtime.compiled.definitions import EXTERNALS, IS_X86_64


def _can_link() -> bool:
    """Return whether this user may make symbolic links, which Windows allows some users only."""
    with tempfile.TemporaryDirectory() as folder:
        target, link = Path(folder, "target"), Path(folder, "link")
        target.touch()
        try:
            link.symlink_to(target)
        except OSError:
            return False
        return link.is_symlink()


needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork, which Windows does not have")
needs_named_pipes = pytest.mark.skipif(
    not hasattr(os, "mkfifo"), reason="needs named pipes in folders: mkfifo"
)
needs_terminal = pytest.mark.skipif(not hasattr(os, "forkpty"), reason="needs a pseudo-terminal: forkpty")
needs_signals = pytest.mark.skipif(
    not hasattr(signal, "SIGKILL"), reason="needs signals that another process sends, and their exit statuses"
)
needs_timers = pytest.mark.skipif(
    not hasattr(signal, "setitimer"), reason="needs timers of a process that send signals: setitimer"
)
needs_stored_code = pytest.mark.skipif(
    sys.platform not in EXTERNALS or not IS_X86_64,
    reason="needs a system where LLVM loads code without numba",
)
needs_permissions = pytest.mark.skipif(not hasattr(os, "geteuid"), reason="needs owners and modes of files")
needs_descriptors = pytest.mark.skipif(
    os.name != "posix", reason="needs names of open files and devices: /dev/stdout"
)
needs_limits = pytest.mark.skipif(find_spec("resource") is None, reason="needs limits of a process: resource")
needs_links = pytest.mark.skipif(not _can_link(), reason="needs symbolic links, which this user may not make")
needs_posix_files = pytest.mark.skipif(
    sys.platform == "win32", reason="needs files that are deleted, renamed or truncated while they are open"
)
