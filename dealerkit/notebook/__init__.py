"""Use in notebooks: ``%load_ext dealerkit`` adds the cell magic ``%%dealer``."""

from __future__ import annotations

from dealerkit.notebook.magic import load_ipython_extension

__all__ = ["load_ipython_extension"]
