"""Nothing in the code was removed from, or is a warning in, Python 3.12 to 3.15; no interpreter of these is needed.

The names are those of the pages "What's new" of Python 3.12 to 3.15 and "Pending removal in Python 3.15".
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FILES = [
    path
    for folder in ("dealerkit", "tools", ".ci", "tests")
    for path in sorted((ROOT / folder).rglob("*.py"))
    if not {"__pycache__", "peers"} & set(path.parts)
]
REMOVED_MODULES = set(
    "aifc asynchat asyncore audioop cgi cgitb chunk crypt distutils imghdr imp lib2to3 mailcap msilib nis nntplib "
    "ossaudiodev pipes smtpd sndhdr spwd sre_compile sre_constants sre_parse sunau telnetlib uu xdrlib".split()
)
REMOVED_NAMES = {
    "ast": {"Num", "Str", "Bytes", "NameConstant", "Ellipsis"},
    "asyncio": {"get_child_watcher", "set_child_watcher"},
    "configparser": {"SafeConfigParser"},
    "ctypes": {"SetPointerType"},
    "http.server": {"CGIHTTPRequestHandler"},
    "locale": {"getdefaultlocale", "resetlocale", "format"},
    "pkgutil": {"find_loader", "get_loader", "ImpImporter", "ImpLoader"},
    "platform": {"java_ver"},
    "pty": {"master_open", "slave_open"},
    "sqlite3": {"version", "version_info"},
    "typing": {"no_type_check_decorator"},
}
REMOVED_METHODS = {"is_reserved", "load_module", "co_lnotab", "find_module", "assertEquals"}


def find_faults(source: str) -> Iterator[tuple[int, str]]:
    """Yield the line and the description of what newer Pythons do not have, or warn of."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            names = [alias.name for alias in node.names]
            modules = names if isinstance(node, ast.Import) else [node.module or ""]
            for module in modules:
                if module.partition(".")[0] in REMOVED_MODULES and not getattr(node, "level", 0):
                    yield node.lineno, f"module {module}"
            if isinstance(node, ast.ImportFrom):
                for name in REMOVED_NAMES.get(node.module or "", set()) & set(names):
                    yield node.lineno, f"{node.module}.{name}"
        elif isinstance(node, ast.Attribute):
            if node.attr in REMOVED_NAMES.get(ast.unparse(node.value), ()) or node.attr in REMOVED_METHODS:
                yield node.lineno, ast.unparse(node)
        elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith("RLock"):
            if node.args or node.keywords:
                yield node.lineno, "arguments of RLock"
        elif isinstance(node, ast.Try):
            for inner in node.finalbody:
                yield from ((line, f"{word} in finally") for line, word in find_exits(inner, False))


def find_exits(node: ast.AST, in_loop: bool) -> Iterator[tuple[int, str]]:
    """Yield the statements that leave a finally clause, of which Python 3.14 warns (PEP 765)."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef):
        return
    if isinstance(node, ast.Return):
        yield node.lineno, "return"
    elif isinstance(node, ast.Break | ast.Continue) and not in_loop:
        yield node.lineno, type(node).__name__.lower()
    for child in ast.iter_child_nodes(node):
        yield from find_exits(child, in_loop or isinstance(node, ast.For | ast.While))


def test_no_file_has_what_newer_pythons_lack():
    faults = [
        f"{path.relative_to(ROOT)}:{line}: {fault}"
        for path in FILES
        for line, fault in find_faults(path.read_text(encoding="utf-8"))
    ]
    assert faults == [] and len(FILES) > 400


@pytest.mark.parametrize(
    ("source", "fault"),
    [
        ("import distutils.util", "module distutils.util"),
        ("from sre_parse import parse", "module sre_parse"),
        ("from ast import Num", "ast.Num"),
        ("import sqlite3\nsqlite3.version", "sqlite3.version"),
        ("path.is_reserved()", "path.is_reserved"),
        ("threading.RLock(1)", "arguments of RLock"),
        ("def f():\n try:\n  pass\n finally:\n  return 1", "return in finally"),
        ("for i in x:\n try:\n  pass\n finally:\n  if i:\n   break", "break in finally"),
    ],
)
def test_each_kind_of_fault_is_found(source, fault):
    assert [found for _, found in find_faults(source)] == [fault]


def test_a_loop_inside_finally_may_end():
    assert not list(find_faults("try:\n pass\nfinally:\n for i in x:\n  break"))
