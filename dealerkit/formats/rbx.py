"""RBX: RBN with a record on each line."""

from __future__ import annotations

import re

from dealerkit.formats.format import Format
from dealerkit.formats.rbn import read_rbn
from dealerkit.formats.rbn_writer import write_rbx
from dealerkit.formats.text_files import read_head


def recognise_rbx(head: bytes) -> bool:
    """Return whether a line of a file has hands in the form of RBX.

    >>> recognise_rbx(b"B{17}H{W:432.AKQJ.T98.765:AKQJ.T98.765.432:T98.765.432.AKQJ:}")
    True
    """
    return re.search(r"(?m)^(?:[A-Z0-9]\{[^}\n]*\})*H\{[NESW][:;][^\n}]*\.", read_head(head)) is not None


FORMAT = Format("rbx", (".rbx",), recognise_rbx, read_rbn, write_rbx)
