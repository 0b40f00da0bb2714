"""Print the size and the structure of the package: modules, lines, importers, circles, longest functions.

``python tools/measure_structure.py [FOLDER]`` measures ``dealerkit`` in FOLDER, by default in this
checkout. Importers are modules that import another at run time, inside functions too. A circle is a group of
modules each of which imports all others, if indirectly; for it imports for type checkers count too, those of
the methods in `DELEGATING` do not. Comments are those on lines of their own.
"""

from __future__ import annotations

import ast
import io
import sys
import tokenize
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

# Methods that only pass a call on to a module of a higher layer: (module, method, imported module).
DELEGATING = {
    (
        "dealerkit.cards.accessor",
        "FrameAccessor.estimate",
        "dealerkit.studies.tables.grouped_estimates",
    ),
    ("dealerkit.bidding.systems", "System._deal_hands", "dealerkit.simulation.run"),
    ("dealerkit.cards.deal", "Deal.plot", "dealerkit.charts.deal"),
    ("dealerkit.cards.partial", "PartialDeal.plot", "dealerkit.charts.deal"),
    ("dealerkit.cards.deals", "Deals.eval", "dealerkit.compiler.frames"),
    ("dealerkit.cards.deals", "Deals.where", "dealerkit.compiler.frames"),
    ("dealerkit.cards.deals", "Deals.to_frame", "dealerkit.compiler.frames"),
    ("dealerkit.cards.deals", "Deals.sides", "dealerkit.studies.sides"),
    ("dealerkit.cards.partial", "PartialDeal.complete", "dealerkit.simulation.run"),
    ("dealerkit.cards.pages", "DealPages.page", "dealerkit.sheets.page"),
    ("dealerkit.cards.sequence", "DealSequence.write", "dealerkit.formats.format"),
    ("dealerkit.formats.library", "Library.where", "dealerkit.simulation.prepare"),
    ("dealerkit.formats.library", "Library.to_frame", "dealerkit.compiler.frames"),
}


@dataclass(frozen=True)
class Import:
    """An imported module, and the class and function around the import ("" at module level)."""

    module: str
    inside: str
    line: int
    typing_only: bool = False


@dataclass
class Module:
    """The lines and the imports of a module."""

    name: str
    code: int
    docstrings: int
    comments: int
    longest: tuple[int, str]
    imports: set[str]  # at run time
    graph: set[str]  # with those for type checkers, without those of methods that pass calls on


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


def name_module(path: Path, package: Path) -> str:
    """Return the dotted name of the module in a file of the package."""
    parts = path.relative_to(package).with_suffix("").parts
    return ".".join((package.name, *parts)).removesuffix(".__init__")


def list_imported(
    node: ast.Import | ast.ImportFrom, folder: tuple[str, ...], modules: Collection[str]
) -> list[str]:
    """Return full names; ``from dealerkit import registry`` imports the submodule, not the package."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    base = node.module or ""
    if node.level:
        base = ".".join([*folder[: len(folder) - node.level + 1], *([base] if base else [])])
    names = {f"{base}.{alias.name}" for alias in node.names}
    return sorted(name if name in modules or base == "dealerkit" else base for name in names)


def find_imports(tree: ast.Module, folder: tuple[str, ...], modules: Collection[str]) -> tuple[Import, ...]:
    """Return all imports of a file, at any depth.

    `folder` are the packages around the file, of which relative imports count; `modules` all of the package.
    """

    def walk(node: ast.AST, inside: tuple[str, ...], function: bool, typing_only: bool) -> Iterator[Import]:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):
                continue
            if isinstance(child, ast.Import | ast.ImportFrom):
                for module in list_imported(child, folder, modules):
                    yield Import(module, ".".join(inside) if function else "", child.lineno, typing_only)
            elif isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
                yield from walk(child, (*inside, child.name), True, typing_only)
            elif isinstance(child, ast.ClassDef):
                yield from walk(child, (*inside, child.name), function, typing_only)
            else:
                guarded = isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test)
                yield from walk(child, inside, function, typing_only or guarded)

    return tuple(walk(tree, (), False, False))


def read_modules(package: Path) -> dict[str, Module]:
    """Return the modules of a package by their names."""
    paths = {name_module(path, package): path for path in sorted(package.rglob("*.py"))}
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
        folder = (package.name, *path.relative_to(package).parts[:-1])
        found = [i for i in find_imports(tree, folder, paths) if i.module in paths and i.module != name]
        modules[name] = Module(
            name,
            len(lines) - docstrings,
            docstrings,
            len(comments),
            find_longest_function(tree),
            imports={i.module for i in found if not i.typing_only},
            graph={i.module for i in found if (name, i.inside, i.module) not in DELEGATING},
        )
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
    circles = find_circles({name: module.graph for name, module in modules.items()})
    print(f"circles of modules: {[len(circle) for circle in circles] or 'none'}")
    for circle in circles:
        print("  " + " ".join(name.removeprefix("dealerkit.") for name in circle))


if __name__ == "__main__":
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parents[1]
    print_measures(read_modules(folder / "dealerkit"))
