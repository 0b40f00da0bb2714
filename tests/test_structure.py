"""The structure of the package: layers, import cycles, late imports, sizes of functions.

docs/contributing/architecture.md describes the layers. All imports count, those inside functions and those for type
checkers too.
"""

from __future__ import annotations

import ast
import importlib.util
import io
import re
import sys
import tokenize
from collections.abc import Collection, Iterator
from fnmatch import fnmatch
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

PACKAGE = Path(__file__).parent.parent / "dealerkit"
TESTS = Path(__file__).parent


def load_tool() -> Any:
    """Return the module of the tool that measures the structure; it lists the methods that pass calls on."""
    path = TESTS.parent / "tools" / "measure_structure.py"
    spec = importlib.util.spec_from_file_location("measure_structure", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # its dataclasses look their module up
    spec.loader.exec_module(module)
    return module


structure = load_tool()

LAYERS = (
    {
        "appearance",
        "errors",
        "arguments",
        "distinct",
        "runtime",
        "registry",
        "statistics",
    },
    {"cards"},
    {"scoring", "evaluators", "charts"},
    {"dealing", "doubledummy", "singledummy"},
    {"formats"},
    {"language", "sheets"},
    {"compiler", "translate"},
    {"actions", "counting"},
    {"planning", "bidding"},
    {"advice"},
    {"simulation"},
    {"studies"},
    {"tournaments"},
    {"notebook", "cli"},
    {"", "__main__"},  # "" is dealerkit/__init__.py
)
LAYER_OF = {part: number for number, parts in enumerate(LAYERS) for part in parts}

IMPORTED_LATE = {
    "matplotlib",
    "IPython",
    "anywidget",
    "traitlets",
    "dask",
    "distributed",
    "pyarrow",
    "endplay",
    "pandas",
}
PANDAS_COLUMN = {
    "compiler/functions_table.py",
    "simulation/distributions.py",
    "cards/array.py",
    "cards/accessor.py",
}
WITHOUT_PANDAS = {
    "statistics", "registry", "runtime", "scoring", "evaluators", "dealing", "doubledummy", "counting",
    "planning", "language", "compiler",
}  # fmt: skip
FRAMES = {
    "compiler/functions_table.py",  # they return DataFrames
    "doubledummy/positions.py",
    "doubledummy/leads.py",
    "compiler/frames.py",
}

USES_DIALECT = (
    "language/dialects.py", "language/__init__.py", "compiler/frames.py", "actions/text*.py",
    "simulation/run.py", "simulation/job.py", "simulation/prepare.py",
    "formats/library.py", "advice/explain.py", "advice/check.py",
    "advice/why.py", "cards/deals.py", "cards/accessor.py", "notebook/*.py", "cli/*.py", "__init__.py",
)  # fmt: skip

SHOWS_RESULTS = {
    "actions", "advice", "cards", "charts", "cli", "dealing", "doubledummy", "formats", "notebook", "planning",
    "runtime", "scoring", "sheets", "simulation", "statistics", "studies", "tournaments", "translate",
}  # fmt: skip
FORMATS_NUMBERS = {  # apart from errors
    "actions/text_v1.py": "reproduces the bytes of dealer",
    "actions/text_v2.py": "reproduces the bytes of its second version",
    "actions/base.py": "values in lines that a script prints for other programs",
    "studies/fit_points/result.py": "weights in an expression of the language",
}
NUMBER_FORMAT = re.compile(r"[,_]|[eEfFgGn%]$")

MAX_BODY_LINES = 80  # of a function without its docstring


@cache
def parse(source: str) -> ast.Module:
    """Return the syntax tree of a module, parsed once for all rules."""
    return ast.parse(source)


@cache
def find_imports(source: str, file: str) -> tuple[Any, ...]:
    """Return all imports of a file, at any depth."""
    return structure.find_imports(parse(source), ("dealerkit", *Path(file).parts[:-1]), module_names())


@cache
def module_names() -> frozenset[str]:
    """Return the names of all modules of the package."""
    return frozenset(structure.name_module(path, PACKAGE) for path in PACKAGE.rglob("*.py"))


@cache
def package_files() -> dict[str, str]:
    """Return the text of each file by its path inside the package."""
    paths = sorted(PACKAGE.rglob("*.py"))
    return {path.relative_to(PACKAGE).as_posix(): path.read_text(encoding="utf-8") for path in paths}


def package_of(file: str) -> str:
    """Return the sub-package or top-level module of a file; "" for dealerkit/__init__.py."""
    first = Path(file).parts[0].removesuffix(".py")
    return "" if first == "__init__" else first


def is_delegating(file: str, imported: Any) -> bool:
    """Return whether an import belongs to a method that only passes a call on."""
    module = structure.name_module(PACKAGE / file, PACKAGE)
    return (module, imported.inside, imported.module) in structure.DELEGATING


def find_upward_imports(source: str, file: str) -> Iterator[str]:
    """Yield imports of another part of the same or a higher layer."""
    part = package_of(file)
    for imported in find_imports(source, file):
        if imported.module.split(".")[0] != "dealerkit":
            continue
        other = imported.module.removeprefix("dealerkit.").split(".")[0]
        if other in (part, "errors", "__version__") or is_delegating(file, imported):
            continue
        if other not in LAYER_OF:
            yield f"{file}:{imported.line} imports {imported.module}, which has no layer"
        elif LAYER_OF[other] >= LAYER_OF[part] and (LAYER_OF[part] or part == other):
            yield (
                f"{file}:{imported.line} (layer {LAYER_OF[part]}) imports {imported.module} "
                f"(layer {LAYER_OF[other]}){' in ' + imported.inside if imported.inside else ''}"
            )
        elif LAYER_OF[other] > LAYER_OF[part]:
            yield f"{file}:{imported.line} (layer 0) imports {imported.module} (layer {LAYER_OF[other]})"


def find_early_imports(source: str, file: str) -> Iterator[str]:
    """Yield heavy libraries at module level, and pandas in modules that work on arrays."""
    for imported in find_imports(source, file):
        library = imported.module.split(".")[0]
        if library == "pandas" and package_of(file) in WITHOUT_PANDAS and file not in FRAMES:
            yield f"{file}:{imported.line} imports pandas"
        elif library == "pandas" and file in PANDAS_COLUMN:
            continue
        elif library in IMPORTED_LATE and not imported.inside and not imported.typing_only:
            yield f"{file}:{imported.line} imports {library} before it is used"


def find_uses_of_dialect(source: str, file: str) -> Iterator[str]:
    """Yield uses of the name dialect in modules that should read a rule instead."""
    if any(fnmatch(file, pattern) for pattern in USES_DIALECT):
        return
    if "dialect" not in source:
        return
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.NAME and token.string == "dialect":
            yield f"{file}:{token.start[0]} uses 'dialect': {token.line.strip()[:80]}"


def find_long_functions(source: str, file: str) -> Iterator[str]:
    """Yield functions whose body without the docstring is longer than `MAX_BODY_LINES`."""
    for node in ast.walk(parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            body = node.body[1:] if ast.get_docstring(node) is not None else node.body
            count = node.end_lineno - body[0].lineno + 1 if body else 0
            if count > MAX_BODY_LINES:
                yield f"{file}:{node.lineno} {node.name} has {count} lines"


def find_formatted_numbers(
    source: str, file: str, allowed: Collection[str] = frozenset(FORMATS_NUMBERS)
) -> Iterator[str]:
    """Yield numbers that modules of results format themselves; `appearance` knows how many digits they have."""
    if package_of(file) not in SHOWS_RESULTS or file in allowed:
        return
    nodes: list[ast.AST] = [parse(source)]
    while nodes:
        node = nodes.pop()
        if isinstance(node, ast.Raise):
            continue
        nodes += ast.iter_child_nodes(node)
        spec = (
            ast.unparse(node.format_spec) if isinstance(node, ast.FormattedValue) and node.format_spec else ""
        )
        if NUMBER_FORMAT.search(spec.removeprefix("f").strip("'\"")):
            yield f"{file}:{node.lineno} formats a number: {ast.unparse(node.value)}; use appearance.numbers"


def find_platform_texts(source: str, file: str) -> Iterator[str]:
    """Yield texts that are read or written as the system prefers: encoding, and line ends of what is written."""
    for node in ast.walk(parse(source)):
        if not isinstance(node, ast.Call):
            continue
        is_method = isinstance(node.func, ast.Attribute)
        name = node.func.attr if is_method else getattr(node.func, "id", "")
        given = {keyword.arg: ast.unparse(keyword.value) for keyword in node.keywords}
        values = [ast.unparse(value) for value in node.args] + [given.get("mode", "")]
        modes = re.findall(r"'([rwaxbt+]{1,3})'", " ".join(values)) if name in ("open", "fdopen") else []
        is_text = not any("b" in mode for mode in modes) and not {"os.devnull"} & set(values)
        writes = (
            name == "write_text" if is_method and not modes else any(set(mode) & set("wax") for mode in modes)
        )
        reads = (
            name in ("run", "Popen") and {"text", "universal_newlines"} & set(given)
            if is_method and name != "read_text"
            else name == "open" or is_method and not node.args
        )
        missing = {"encoding", *(["newline"] if writes else [])} - set(given)
        if missing and is_text and (writes or reads) and "force_zip64" not in given:
            yield f"{file}:{node.lineno} {name} does not name {' and '.join(sorted(missing))}"


def find_loose_texts(source: str, file: str) -> Iterator[str]:
    """Yield texts that are statements but no docstrings, such as the second line of a text without brackets."""
    tree = parse(source)
    docstrings = {
        id(node.body[0])
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) and node.body
    }
    for node in ast.walk(tree):
        is_text = isinstance(node, ast.Expr) and (
            isinstance(node.value, ast.JoinedStr)
            or (isinstance(node.value, ast.Constant) and isinstance(node.value.value, str))
        )
        if is_text and id(node) not in docstrings:
            yield f"{file}:{node.lineno} has a text that nothing uses: {ast.unparse(node)[:60]}"


@cache
def function_names() -> frozenset[str]:
    """Return the names and aliases of the functions of the language."""
    import dealerkit.language.functions  # noqa: F401  (the registry is then complete)
    from dealerkit import registry

    return frozenset(registry.spellings())


def find_compared_functions(source: str, file: str) -> Iterator[str]:
    """Yield comparisons with names of functions and tables of them outside the modules with their entries."""
    if file.startswith("evaluators/") or file in ("language/functions.py", "doubledummy/functions.py"):
        return
    tree = parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
            named = [getattr(side, "attr", getattr(side, "id", "")) for side in sides]
            texts = [
                part.value for side in sides for part in ast.walk(side) if isinstance(part, ast.Constant)
            ]
            if {"name", "function", "head"} & set(named) and function_names() & set(texts):
                yield f"{file}:{node.lineno} compares the name of a function: {ast.unparse(node)}"
    for node in tree.body:
        value = getattr(node, "value", None)
        if isinstance(value, ast.Dict) and value.keys:
            keys = {getattr(key, "value", None) for key in value.keys}
            if keys <= function_names():
                yield f"{file}:{node.lineno} is a table by the names of functions"


@pytest.mark.parametrize(
    "text",
    ['x = f.name == "hcp"', 'if call.function not in ("min", "x"): pass', 'T = {"rnd": 1, "shape": 2}'],
)
def test_comparisons_of_function_names_are_found(text):
    assert len(list(find_compared_functions(text, "planning/plan.py"))) == 1


RULES = (
    find_upward_imports, find_early_imports, find_uses_of_dialect, find_long_functions,
    find_compared_functions, find_formatted_numbers, find_platform_texts, find_loose_texts,
)  # fmt: skip


@pytest.mark.parametrize("rule", RULES)
def test_every_module_obeys(rule):
    assert len(package_files()) > 20
    broken = [fault for file, source in package_files().items() for fault in rule(source, file)]
    assert not broken, "\n" + "\n".join(broken)


def test_modules_that_format_numbers_do():
    with_numbers = {
        file for file in FORMATS_NUMBERS if any(find_formatted_numbers(package_files()[file], file, ()))
    }
    assert with_numbers == set(FORMATS_NUMBERS), "remove the others from FORMATS_NUMBERS"


def test_every_part_has_a_layer():
    parts = {package_of(file) for file in package_files()}
    assert parts == set(LAYER_OF)


@cache
def modules() -> dict[str, Any]:
    return structure.read_modules(PACKAGE)


def test_no_circle_of_modules():
    assert not structure.find_circles({name: module.graph for name, module in modules().items()})


def test_a_circle_is_found():
    graph = {"a": {"b", "d"}, "b": {"c"}, "c": set(), "d": {"b", "e"}, "e": {"a"}}
    assert structure.find_circles(graph) == [["a", "d", "e"]]


def test_every_delegating_method_exists():
    imports = {
        (structure.name_module(PACKAGE / file, PACKAGE), imported.inside, imported.module)
        for file, source in package_files().items()
        for imported in find_imports(source, file)
    }
    assert structure.DELEGATING - imports == set(), "remove these from tools/measure_structure.py"


def test_tests_use_public_names():
    """Names with a leading underscore belong to their module; protocols such as _repr_html_ are public."""
    broken = []
    for path in sorted(TESTS.rglob("*.py")):
        source = path.read_text(encoding="utf-8")
        if not re.search(r"\b_[a-z]", source) or "dealerkit" not in source:
            continue
        tree = list(ast.walk(ast.parse(source)))
        bound = {  # names of modules and objects of the package
            alias.asname or alias.name.split(".")[0]: alias.name
            for node in tree
            if isinstance(node, ast.Import | ast.ImportFrom)
            and (getattr(node, "module", "") or node.names[0].name).startswith("dealerkit")
            for alias in node.names
        }
        broken += [f"{path.name} imports {name}" for name in bound.values() if re.match(r"_[a-z]", name)]
        broken += [
            f"{path.name}:{node.lineno} uses {node.value.id}.{node.attr}"
            for node in tree
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)
            and node.value.id in bound and re.fullmatch(r"_[a-z]\w*[^_]", node.attr)
        ]  # fmt: skip
    assert not broken, "\n" + "\n".join(broken)


DELEGATION = "class Deals:\n    def {}(self):\n        from dealerkit.{} import evaluate_text"


@pytest.mark.parametrize(
    ("rule", "file", "source", "n_faults"),
    [
        (find_upward_imports, "cards/deals.py", "from dealerkit.language import nodes", 1),
        (find_upward_imports, "cards/deals.py", "from dealerkit import registry, language", 1),
        (find_upward_imports, "cards/deals.py", "from ..language import Script", 1),
        (find_upward_imports, "cards/deals.py", "from . import names", 0),
        (find_upward_imports, "cards/deals.py", "def f():\n    import dealerkit.dealing.uniform.stream", 1),
        (find_upward_imports, "dealing/predeal.py", "from dealerkit.doubledummy import solve", 1),
        (find_upward_imports, "dealing/predeal.py", "from dealerkit.cards.deals import Deals", 0),
        (find_upward_imports, "registry.py", "from dealerkit.errors import ArgumentError", 0),
        (find_upward_imports, "registry.py", "from dealerkit.cards.deals import Deals", 1),
        (find_upward_imports, "cards/deals.py", DELEGATION.format("eval", "compiler.frames"), 0),
        (find_upward_imports, "cards/deals.py", DELEGATION.format("sort", "compiler.frames"), 1),
        (find_upward_imports, "cards/deals.py", DELEGATION.format("eval", "simulation.run"), 1),
        (find_upward_imports, "cards/accessor.py", "from dealerkit.compiler.frames import select", 1),
        (
            find_upward_imports,
            "cards/accessor.py",
            "def f():\n    from dealerkit.compiler.frames import a",
            1,
        ),
        (find_early_imports, "charts/panels.py", "import matplotlib.pyplot as plt", 1),
        (find_early_imports, "charts/panels.py", "def f():\n    import matplotlib.pyplot as plt", 0),
        (find_early_imports, "charts/panels.py", "class A:\n    import matplotlib", 1),
        (
            find_early_imports,
            "charts/panels.py",
            "if TYPE_CHECKING:\n    from matplotlib.axes import Axes",
            0,
        ),
        (find_early_imports, "cards/array.py", "import pandas as pd", 0),
        (find_early_imports, "cards/deal.py", "import pandas as pd", 1),
        (find_early_imports, "dealing/predeal.py", "def f():\n    import pandas as pd", 1),
        (find_early_imports, "language/parser.py", "def f():\n    import pandas as pd", 1),
        (find_early_imports, "compiler/frames.py", "def f():\n    import pandas as pd", 0),
        (find_uses_of_dialect, "planning/plan.py", "def f(dialect): pass", 1),
        (find_uses_of_dialect, "planning/plan.py", "from dealerkit.language.dialects import Rules", 0),
        (find_uses_of_dialect, "simulation/run.py", "def f(dialect): pass", 0),
        (find_formatted_numbers, "studies/a.py", 'x = f"{n:,} deals, {share:.1f} %, {x:g}, {y:{w}.2f}"', 4),
        (find_formatted_numbers, "studies/a.py", 'x = f"{text:<20}{text:.60}{n}{n!r:>{w}}"', 0),
        (find_formatted_numbers, "studies/a.py", 'def f(): raise ValueError(f"{x:g} is not a share")', 0),
        (find_formatted_numbers, "language/a.py", 'x = f"{x:g}"', 0),
        (
            find_platform_texts,
            "a.py",
            "open(a); path.read_text(); open(a, 'w'); subprocess.run(a, text=True)",
            4,
        ),
        (find_platform_texts, "a.py", "path.write_text(a, encoding='utf-8'); path.open('a')", 2),
        (
            find_platform_texts,
            "a.py",
            "write_text(a, b); open(a, 'rb'); path.open('wb'); study.open(deals)",
            0,
        ),
        (find_platform_texts, "a.py", "open(a, mode='w', encoding='utf-8', newline='')", 0),
        (find_long_functions, "a.py", "def f():\n" + "    a = 1\n" * 81, 1),
        (
            find_long_functions,
            "a.py",
            'def f():\n    """Return 1.\n' + "\n" * 80 + '    """\n    return 1',
            0,
        ),
    ],
)
def test_a_rule_finds_its_faults(rule, file, source, n_faults):
    assert len(list(rule(source, file))) == n_faults


def test_hypothesis_has_one_profile():
    """Tests have no limits of time of their own, with which they would fail on a busy machine."""
    assert settings.default.deadline is None
    assert HealthCheck.too_slow in settings.default.suppress_health_check
    own = {
        path.relative_to(TESTS).as_posix() for path in TESTS.rglob("*.py")
        if path != Path(__file__) and re.search(r"\bdeadline=|HealthCheck", path.read_text(encoding="utf-8"))
    }  # fmt: skip
    assert own == {"conftest.py"}
