"""Run the examples of pages of the manual: ``python tools/pages.py PAGE...`` rewrites their outputs.

Examples are blocks of a page. They run in order, in one empty folder:

- ``console``: lines that begin with ``$`` are commands, the lines that follow are their output;
- ``pycon``: a session of Python;
- any other block whose first line is a comment with a file's name, as ``// stayman.dealer``, is that file.

An output of the page may have ``...`` for what varies; durations and dates may differ. The store of solved
deals is an empty one, so that outputs do not depend on what the machine has solved; its path is written as
`STORE`.
"""

from __future__ import annotations

import contextlib
import doctest
import io
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FILE = re.compile(r"(?://|#|%) ([\w/-]+\.\w+|[\w/]+/\w+)\n")
VARYING = re.compile(r"\d+(\.\d+)? (s|ms|sec|seconds|minutes|hours)\b|\[Date .*\]|\d{4}-\d\d-\d\d")
FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
COLUMNS = "90"  # what the manual shows of a line without scrolling
STORE = "~/.cache/dealerkit/solved-1.sqlite"


def run_page(text: str) -> str:
    """Return a page with the outputs that its examples have now, where those of the page do not match."""
    from unittest.mock import patch

    import dealerkit.language.parser  # noqa: F401  (it registers the functions)
    from dealerkit import registry
    from dealerkit.doubledummy.store.database import current_store

    names: dict[str, Any] = {"__name__": "__main__"}
    before, functions = os.getcwd(), {function.name for function in registry.functions()}
    with (
        tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder,
        tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as cache,
        patch.dict(os.environ, COLUMNS=COLUMNS, DEALERKIT_STORE=str(Path(cache, "solved.sqlite"))),
    ):
        os.chdir(folder)
        try:
            return BLOCK.sub(lambda match: f"```{match[1]}\n{_run_block(match[1], match[2], names)}```", text)
        finally:
            current_store().close()  # Windows removes no open file
            os.chdir(before)
            for function in registry.functions():
                if function.name not in functions:  # of the page
                    registry.unregister(function.name)


def _run_block(kind: str, text: str, names: dict[str, Any]) -> str:
    if kind == "console":
        return _run_commands(text)
    if kind == "pycon":
        return _run_session(text, names)
    if file := FILE.match(text):
        Path(file[1]).parent.mkdir(parents=True, exist_ok=True)
        Path(file[1]).write_text(text, encoding="utf-8")
    return text


def _run_commands(text: str) -> str:
    """Return a block of commands with their outputs."""
    block = ""
    for command, expected in _split_commands(text):
        output = _run_command(command.replace("\\\n", ""))
        block += f"$ {command}" + (expected if output is None or _is_same(expected, output) else output)
    return block


def _split_commands(text: str) -> Iterator[tuple[str, str]]:
    """Yield each command, which ends where its quotes are closed, with the text that follows."""
    lines = text.splitlines(keepends=True)
    while lines:
        command = lines.pop(0).removeprefix("$ ")
        while lines and not _is_complete(command):
            command += lines.pop(0)
        expected = ""
        while lines and not lines[0].startswith("$ "):
            expected += lines.pop(0)
        yield command, expected


def _is_complete(command: str) -> bool:
    try:
        shlex.split(command)
    except ValueError:
        return False
    return not command.endswith("\\\n")


def _run_command(command: str) -> str | None:
    """Return the output of a command; None if its program is not installed."""
    words = shlex.split(command)
    if words[0] != "dealerkit" or {"|", "<", "&&"} & set(words):
        path = os.pathsep.join((os.environ.get("PATH", ""), "/usr/games"))
        if shutil.which(words[0], path=path) is None:
            return None
        run = subprocess.run(
            command, shell=True, env=os.environ | {"PATH": path}, encoding="utf-8",
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip
        return _finish(run.stdout)
    target = words.pop() if words[-2:-1] == [">"] else None
    errors, output = io.StringIO(), io.TextIOWrapper(io.BytesIO(), "utf-8")
    _run_main(words[1 : -1 if target else None], output, errors if target else output)
    output.flush()
    content = output.buffer.getvalue()
    if target:
        Path(target).write_bytes(content)
        return _finish(errors.getvalue())
    return _finish(content.decode())


def _run_main(words: list[str], output: io.TextIOBase, errors: io.TextIOBase) -> None:
    from dealerkit.cli import main

    with warnings.catch_warnings(), contextlib.redirect_stdout(output), contextlib.redirect_stderr(errors):
        warnings.simplefilter("always")
        with contextlib.suppress(SystemExit):
            main(words)


def _finish(output: str) -> str:
    """Return an output as the page has it: without spaces at the ends of lines and paths of this machine."""
    from dealerkit.doubledummy.store.database import current_store

    if path := current_store().path:
        output = output.replace(str(path), STORE)
    lines = [line.rstrip() for line in output.expandtabs().splitlines()]
    return "".join(f"{line}\n" for line in lines)


def _is_same(expected: str, output: str) -> bool:
    expected, output = VARYING.sub("#", expected), VARYING.sub("#", output)
    return doctest.OutputChecker().check_output(expected, output, FLAGS)


def _run_session(text: str, names: dict[str, Any]) -> str:
    """Return a session of Python with its outputs."""
    lines = text.split("\n")
    for example, got in reversed(_run_examples(text, names)):
        start = example.lineno + example.source.count("\n")
        indent = " " * example.indent
        output = [indent + line if line.strip() else "<BLANKLINE>" for line in got.splitlines()]
        lines[start : start + example.want.count("\n")] = output
    return "\n".join(lines)


def _run_examples(text: str, names: dict[str, Any]) -> list[tuple[doctest.Example, str]]:
    """Return the examples whose output differs, with the new output."""
    test = doctest.DocTestParser().get_doctest(text, names, "page", None, None)
    changed: list[tuple[doctest.Example, str]] = []

    class Runner(doctest.DocTestRunner):
        def report_failure(self, out, test, example, got):
            changed.append((example, got))

        def report_unexpected_exception(self, out, test, example, info):
            self.report_failure(out, test, example, f"{info[0].__name__}: {info[1]}\n")

    Runner(optionflags=FLAGS, verbose=False).run(test, clear_globs=False)
    names.update(test.globs)
    return changed


if __name__ == "__main__":
    for name in sys.argv[1:]:
        page = Path(name).resolve()
        page.write_text(run_page(page.read_text(encoding="utf-8")), encoding="utf-8")
