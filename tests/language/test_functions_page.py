"""docs/reference/language/functions.md lists the registry. ``python tests/language/test_functions_page.py`` rewrites it."""

from __future__ import annotations

from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "language" / "functions.md"
HEAD = """# Functions of the language

Generated from the registry. `dk.functions` is the same list as a DataFrame; `dealerkit functions` prints it, `dealerkit functions WORD` searches it.
Values are in natural units (the dialects `v1` and `v2` count those marked ¹⁄₁₀₀ in hundredths).

## Functions
"""


def page() -> str:
    import dealerkit.language.functions  # noqa: F401  (it registers the functions)
    from dealerkit import registry
    from dealerkit.language.signatures import ACTIONS

    rows = ["| function | unit | value | source |", "|---|---|---|---|"]
    for function in sorted(registry.functions(), key=lambda function: function.name):
        aliases = ", ".join(f"`{alias}`" for alias in function.aliases)
        summary = f"{function.summary} (also {aliases})" if aliases else function.summary
        unit = function.unit + (" ¹⁄₁₀₀" if function.hundredths else "")
        signature = function.signature.replace("|", " or ")  # a bar would end the cell
        rows.append(f"| `{signature}` | {unit} | {summary}. | {function.source} |")
    rows += ["", "## Actions", "", "| action | output |", "|---|---|"]
    rows += [f"| `{action.name}` | {action.summary} |" for action in ACTIONS.values()]
    return HEAD + "\n" + "\n".join(rows) + "\n"


def test_the_page_lists_the_registry() -> None:
    assert PAGE.read_text(encoding="utf-8") == page()


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
