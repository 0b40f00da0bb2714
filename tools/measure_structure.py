"""Print the size and the structure of the package: modules, lines, importers, circles, longest functions.

``python tools/measure_structure.py [FOLDER]`` measures ``dealerkit`` in FOLDER, by default in this
checkout. A circle is a group of modules each of which imports all others, if indirectly; imports inside
functions count, those for type checkers do not. Comments are those on lines of their own.
"""

from __future__ import annotations

import ast
import io
import sys
import tokenize
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path


@dataclass
class Module:
    """The lines and the imports of a module."""

    name: str
    code: int
    docstrings: int
    comments: int
    longest: tuple[int, str]
    imports: set[str]


def count_docstring_lines(tree: ast.Module) -> int:
    """Return the number of lines of all docstrings."""
    kinds = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
    firsts = [node.body[0] for node in ast.walk(tree) if isinstance(node, kinds) and node.body]
    return sum(
        first.end_lineno - first.lineno + 1
        for first in firsts
        if isinstance(first, ast.Expr)
        and isinstance(first.value, ast.Constant)
        and isinstance(first.value.value, str)
    )


def find_longest_function(tree: ast.Module) -> tuple[int, str]:
    """Return the lines and the name of the function with the longest body, docstrings apart."""
    sizes = [(0, "")]
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            body = node.body[1:] if ast.get_docstring(node) is not None else node.body
            sizes.append((node.end_lineno - body[0].lineno + 1 if body else 0, node.name))
    return max(sizes)


def list_imports(tree: ast.AST, modules: set[str]) -> Iterator[str]:
    """Yield the modules of the package that a module imports, inside functions too."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in modules)
        elif isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("dealerkit"):
            for alias in node.names:
                name = f"{node.module}.{alias.name}"
                yield name if name in modules else node.module
        else:
            yield from list_imports(node, modules)


def read_modules(package: Path) -> dict[str, Module]:
    """Return the modules of a package by their names."""
    paths = {
        ".".join((package.name, *path.relative_to(package).with_suffix("").parts)).removesuffix(
            ".__init__"
        ): path
        for path in sorted(package.rglob("*.py"))
    }
    modules = {}
    for name, path in paths.items():
        source = path.read_text(encoding="utf-8")
        tree = ast.parse(source)
        tokens = list(tokenize.generate_tokens(io.StringIO(source).readline))
        comments = {
            token.start[0]
            for token in tokens
            if token.type == tokenize.COMMENT and "fmt:" not in token.string
        }
        skipped = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT}
        lines = {
            line
            for token in tokens
            if token.type not in skipped and token.type != tokenize.ENDMARKER
            for line in range(token.start[0], token.end[0] + 1)
        }
        docstrings = count_docstring_lines(tree)
        imports = set(list_imports(tree, set(paths))) - {name}
        code = len(lines) - docstrings
        modules[name] = Module(name, code, docstrings, len(comments), find_longest_function(tree), imports)
    return modules


def find_circles(graph: dict[str, set[str]]) -> list[list[str]]:
    """Return the strongly connected components with more than one module, the largest first."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    circles = []
    sys.setrecursionlimit(10_000)

    # Tarjan, "Depth-first search and linear graph algorithms", SIAM J. Comput. 1, 1972.
    def visit(name: str) -> None:
        index[name] = low[name] = len(index)
        stack.append(name)
        for other in sorted(graph[name]):
            if other not in index:
                visit(other)
                low[name] = min(low[name], low[other])
            elif other in stack:
                low[name] = min(low[name], index[other])
        if low[name] == index[name]:
            group = stack[stack.index(name) :]
            del stack[-len(group) :]
            if len(group) > 1:
                circles.append(sorted(group))

    for name in graph:
        if name not in index:
            visit(name)
    return sorted(circles, key=len, reverse=True)


def print_measures(modules: dict[str, Module]) -> None:
    """Print a row for each package, then the sums and the circles."""
    importers: Counter[str] = Counter()
    for module in modules.values():
        importers.update(module.imports)
    groups = defaultdict(list)
    for module in modules.values():
        parts = module.name.split(".")
        groups[parts[1] if len(parts) > 1 else ""].append(module)
    single = {name for name in modules if importers[name] == 1 and "." in name}
    heads = (
        "package",
        "modules",
        "code",
        "docstrings",
        "comments",
        "per 1,000",
        "one importer",
        "longest function",
    )
    print("{:<14}{:>8}{:>8}{:>11}{:>9}{:>10}{:>13}  {}".format(*heads))
    rows = [*sorted(groups.items()), ("all", list(modules.values()))]
    for name, group in rows:
        code, comments = sum(module.code for module in group), sum(module.comments for module in group)
        longest = max(module.longest for module in group)
        docstrings, one = sum(module.docstrings for module in group), sum(m.name in single for m in group)
        print(
            f"{name or '__init__':<14}{len(group):>8,}{code:>8,}{docstrings:>11,}{comments:>9,}"
            f"{1000 * comments / max(code, 1):>10.1f}{one:>13,}  {longest[0]} {longest[1]}"
        )
    circles = find_circles({name: module.imports for name, module in modules.items()})
    print(f"circles of modules: {[len(circle) for circle in circles] or 'none'}")
    for circle in circles:
        print("  " + " ".join(name.removeprefix("dealerkit.") for name in circle))


if __name__ == "__main__":
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parents[1]
    print_measures(read_modules(folder / "dealerkit"))
