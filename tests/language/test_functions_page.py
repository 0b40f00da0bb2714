"""docs/functions.md is what the registry says. ``python tests/language/test_functions_page.py`` writes it anew."""

from __future__ import annotations

from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "functions.md"
HEAD = """# Words of the language

Written from the registry; `dk.functions` is the same as a DataFrame, `dealerkit explain --functions` the same on the terminal.
Values are in natural units (dialects `v1` and `v2` count hundredths of those marked ¹⁄₁₀₀).

## Functions
"""


def page() -> str:
    import dealerkit.language.functions  # noqa: F401  (it fills the registry)
    from dealerkit import registry
    from dealerkit.language.signatures import ACTIONS

    rows = ["| word | unit | what | source |", "|---|---|---|---|"]
    for one in sorted(registry.functions(), key=lambda one: one.name):
        also = f" (also {', '.join(f'`{alias}`' for alias in one.aliases)})" if one.aliases else ""
        unit = one.unit + (" ¹⁄₁₀₀" if one.hundredths else "")
        rows.append(
            # a bar would end the cell
            f"| `{one.signature.replace('|', ' or ')}` | {unit} | {one.summary}{also}. | {one.source} |"
        )
    rows += ["", "## Actions", "", "| action | what |", "|---|---|"]
    rows += [f"| `{action.name}` | {action.summary} |" for action in ACTIONS.values()]
    return HEAD + "\n" + "\n".join(rows) + "\n"


def test_the_page_is_what_the_registry_says() -> None:
    assert PAGE.read_text(encoding="utf-8") == page()


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
