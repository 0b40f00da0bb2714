"""Help on Shift-Tab about functions and actions of the dealer language."""

from __future__ import annotations

from typing import Any

from dealerkit import registry
from dealerkit.appearance.card import Card
from dealerkit.appearance.content import Code, Note

WIDTH = 80  # characters in a line of the text, for programs that show no HTML


def describe_word(word: str) -> Card | None:
    """Return the description of a function or action of the language as a card, or None for other words.

    >>> print(describe_word("losers").to_text(80).splitlines()[0])
    losers(seat, suit?), in losers
    """
    import dealerkit.language.parser  # noqa: F401  (it registers the functions)
    from dealerkit.language.signatures import load_all_actions

    if (function := registry.find_function(word)) is not None and function.kind != "item":
        unit = f", in {function.unit}" if function.unit else ""
        aliases = [f"Also {', '.join(function.aliases)}."] if function.aliases else []
        summary = f"{function.summary[:1].upper()}{function.summary[1:]}."
        notes: list[Note] = [*aliases, *([f"{function.source}."] if function.source else [])]
        return Card(
            (Code(function.signature), unit), about=[summary, _show(function.list_examples())], notes=notes
        )
    action = load_all_actions().get(word)
    if action is None:
        return None
    summary = f"{action.summary[:1].upper()}{action.summary[1:]}."
    return Card(Code(action.name), about=[summary, _show(action.list_examples())])


def _show(examples: Any) -> Note:
    """Return a sentence that lists examples as code."""
    parts: list[str | Code] = []
    for example in examples:
        parts += [", " if parts else "For example ", Code(example)]
    return [*parts, "."]


def install_inspection(shell: Any) -> None:
    """Describe words of the language on Shift-Tab, unless the notebook has a variable with this name."""
    inspect = shell.object_inspect_mime
    if hasattr(inspect, "knows_dealer"):
        return

    def inspect_word(oname: str, *args: Any, **options: Any) -> Any:
        try:
            return inspect(oname, *args, **options)
        except KeyError:
            card = describe_word(oname)
            if card is None:
                raise
            from dealerkit.appearance.html import render_fragment

            text = card.to_text(WIDTH)
            return {
                "text/plain": text,
                "text/html": render_fragment(f'<div class="dk-report">{card.to_html()}</div>', text),
            }

    inspect_word.knows_dealer = True  # type: ignore[attr-defined]
    shell.object_inspect_mime = inspect_word
