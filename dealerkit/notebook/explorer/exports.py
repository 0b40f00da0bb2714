"""The state of an explorer as a script and as a Python cell."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence


def write_script(text: str, values: Mapping[str, str]) -> str:
    r"""Return a script whose ``# param`` lines have these values; lines that are missing come first.

    >>> text = "# param low = 12  # least\nhcp(north) >= $low and hcp(south) > $high"
    >>> write_script(text, {"low": "15", "high": "3"})
    '# param high = 3\n# param low = 15  # least\nhcp(north) >= $low and hcp(south) > $high'
    """
    new = []
    for name, value in values.items():
        pattern = re.compile(
            rf"^([ \t]*#[ \t]*param[ \t]+\$?{re.escape(name)}[ \t]*=[ \t]*)([^#\n]*?)([ \t]*(?:#[^\n]*)?)$",
            re.MULTILINE,
        )
        match = pattern.search(text)
        if match is None:
            new.append(f"# param {name} = {value}\n")
        else:
            text = f"{text[: match.start(2)]}{value}{text[match.end(2) :]}"
    return "".join(new) + text


def write_python(
    text: str,
    values: Mapping[str, str],
    produce: int,
    seed: int,
    is_plain: bool = False,
    threads: int | None = None,
    include: Sequence[str] = (),
) -> str:
    """Return a cell that runs a script; `is_plain` where its deals are those of plain dealing."""
    arguments = [f"produce={produce}", f"seed={seed}"]
    if values:
        given = ", ".join(f"{name!r}: {_write_value(value)}" for name, value in values.items())
        arguments.append(f"params={{{given}}}")
    if is_plain:
        arguments.append('plan="plain"')
    if threads is not None:
        arguments.append(f"threads={threads}")
    if include:
        arguments.append(f"include={list(include)!r}")
    return (
        "import dealerkit as dk\n\n"
        f"script = {_quote(text)}\n"
        f"result = dk.run(script, {', '.join(arguments)})\n"
        "result\n"
    )


def _write_value(value: str) -> str:
    """Return a value as a Python number where that is the same text, else as a text."""
    return value if re.fullmatch(r"-?(0|[1-9]\d*)(\.\d*[1-9])?", value) else repr(value)


def _quote(text: str) -> str:
    """Return a Python literal of a text, on several lines if it has several."""
    if "\n" not in text or '"""' in text or "\\" in text or text.endswith('"') or "\r" in text:
        return repr(text)
    return f'"""{text}"""' if text.startswith("\n") else f'"""\\\n{text}"""'
