"""Write docs/published-values.md: published figures, those of dealerkit, and whether they agree.

``python tools/published_values.py`` computes all of them and rewrites the page. With identifiers, as in
``python tools/published_values.py E7 D1``, it prints the sections of these items and writes nothing.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from published import double_dummy, probabilities
from published.figures import Item, judge, render_item

PAGE = Path(__file__).parents[1] / "docs" / "published-values.md"
PARTS = (
    (
        "Counted exactly",
        "`dk.probability` and `dk.distribution` count deals, so these figures are quotients of integers. They "
        "agree if they round to what is printed.",
        probabilities.ITEMS,
    ),
    ("Double dummy", double_dummy.INTRODUCTION, double_dummy.ITEMS),
)
HEAD = """# Published values

What others have published, computed again with dealerkit. `python tools/published_values.py` computes every figure and rewrites this page.

- **agrees**: the published figure differs from ours by no more than its rounding and 1.96 standard errors of the difference. Both
  samples count: where the source states its number of deals, the published figure has a standard error too.
- **differs**: by more. The reason follows, if we know it. One figure in twenty differs by chance.

"""


def find_items(*identifiers: str) -> list[Item]:
    """Return the items with these identifiers, or all."""
    items = [item for *_, part in PARTS for item in part]
    return [item for item in items if not identifiers or item.id in identifiers]


def build_page() -> str:
    """Return the whole page."""
    parts, total, same = [], 0, 0
    for title, introduction, items in PARTS:
        parts.append(f"## {title}\n\n{introduction}\n")
        for item in items:
            ours = item.compute()
            verdicts = judge(item, ours).values()
            total, same = total + len(verdicts), same + sum(verdicts)
            parts.append(render_item(item, ours))
    return f"{HEAD}Of {total} figures {same} agree.\n\n" + "\n".join(parts)


if __name__ == "__main__":
    if sys.argv[1:]:
        print("\n".join(render_item(item, item.compute()) for item in find_items(*sys.argv[1:])))
    else:
        PAGE.write_text(build_page(), encoding="utf-8")
