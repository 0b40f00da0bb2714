"""Bridge deals by the million: scripts in the dealer language select them, actions and studies analyse them.

>>> import dealerkit as dk
>>> result = dk.run('''
... condition balanced(north) and hcp(north) >= 15 and hcp(north) <= 17
... action average "points opposite" hcp(south)
... ''', produce=1000, seed=1)
>>> result["points opposite"].n
1000

Public names are imported from their modules at first use, which keeps ``import dealerkit`` fast. They are
listed in ``__init__.pyi``, where editors and type checkers find their types.
"""

from __future__ import annotations

import importlib
import os
import sys

__version__ = "0.1.0"

# The lines of the stub are "from MODULE import NAME as NAME".
with open(os.path.splitext(__file__)[0] + ".pyi", encoding="utf-8") as _stub:
    _MODULES = {line.split()[-1]: line.split()[1] for line in _stub if line.startswith("from dealerkit")}

__all__ = sorted(["__version__", "functions", *_MODULES])


def __getattr__(name: str) -> object:  # importing typing would take most of the time
    if name == "functions":  # not stored: `function` adds rows to the table
        return importlib.import_module("dealerkit.compiler.functions_table").build_functions_table()
    if name not in _MODULES:
        raise AttributeError(f"module 'dealerkit' has no attribute {name!r}")
    # An interrupt could leave modules half imported, or be lost in one, so it is delayed.
    from dealerkit.errors import NO_RESULT, Interrupted
    from dealerkit.runtime.process import uninterrupted

    try:
        with uninterrupted():
            value = getattr(importlib.import_module(_MODULES[name]), name)
    except KeyboardInterrupt:
        raise Interrupted(NO_RESULT) from None
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__


# With pandas, the dtype `deal` and the accessor `.dealer` are known, as for `pd.read_csv(dtype=...)`.
importlib.import_module("dealerkit.runtime.after_import").import_after("pandas", "dealerkit.cards.array")

if (_shell := getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()) is not None:
    importlib.import_module("dealerkit.notebook.shell").install_panels(_shell)  # errors without a traceback
