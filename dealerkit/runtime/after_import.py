"""Work that is done as soon as another package has been imported, which itself is not imported for it."""

from __future__ import annotations

import importlib
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from importlib.machinery import ModuleSpec
    from types import ModuleType


class ImportFollower:
    """A finder of modules that imports one module after another one, whoever imports that.

    Parameters
    ----------
    awaited : str
        A package at the top level; the follower removes itself when it is imported.
    name : str
        The module to import then.
    """

    def __init__(self, awaited: str, name: str) -> None:
        self.awaited, self.name = awaited, name

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return the spec that the other finders have, with a loader that imports the module afterwards."""
        if name != self.awaited:
            return None
        import importlib.util  # not at the start, which it would make slower

        sys.meta_path[:] = [finder for finder in sys.meta_path if finder is not self]
        spec = importlib.util.find_spec(name)
        if spec is None or spec.loader is None:
            return spec
        execute = spec.loader.exec_module

        def execute_and_follow(module: ModuleType) -> None:
            execute(module)
            importlib.import_module(self.name)

        spec.loader.exec_module = execute_and_follow  # type: ignore[method-assign]
        return spec


def import_after(awaited: str, name: str) -> None:
    """Import a module now if a package has been imported already, otherwise as soon as it is."""
    if awaited in sys.modules:
        importlib.import_module(name)
    else:
        sys.meta_path.insert(0, ImportFollower(awaited, name))
