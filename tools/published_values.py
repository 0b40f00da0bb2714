"""Write docs/reference/published-values.md: published figures, those of dealerkit, and whether they agree.

``python tools/published_values.py`` computes all of them and rewrites the page. With identifiers, as in
``python tools/published_values.py E7 D1``, it prints the sections of these items and writes nothing.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from published import double_dummy, hands, probabilities
from published.figures import judge, read_items, render_item

PAGE = Path(__file__).parents[1] / "docs" / "reference" / "published-values.md"
PARTS = {"Counted exactly": probabilities, "Double dummy": double_dummy, "Point counts of a hand": hands}
COMPUTE = {**probabilities.COMPUTE, **double_dummy.COMPUTE, **hands.COMPUTE}
HEAD = """# Published values

Do we get the figures that others have published? This page compares them with ours. `python
tools/published_values.py` computes every figure again and rewrites the page.

- **agrees**: the two figures differ by no more than the rounding of the published one and 1.96 standard
  errors of the difference. If the source states its number of deals, the published figure has a standard
  error too.
- **differs**: they differ by more. The reason follows if we know it. By chance alone, one correct figure
  in twenty would differ.

"""


def build_page() -> str:
    """Return the whole page."""
    parts, total, same = [], 0, 0
    for title, module in PARTS.items():
        parts.append(f"## {title}\n\n{module.INTRODUCTION}\n")
        for item in read_items():
            if item.id not in module.COMPUTE:
                continue
            ours = module.COMPUTE[item.id](item)
            verdicts = judge(item, ours).values()
            total, same = total + len(verdicts), same + sum(verdicts)
            parts.append(render_item(item, ours))
    return f"{HEAD}Of {total} figures {same} agree.\n\n" + "\n".join(parts)


if __name__ == "__main__":
    if chosen := sys.argv[1:]:
        items = [item for item in read_items() if item.id in chosen]
        sys.stdout.write("\n".join(render_item(item, COMPUTE[item.id](item)) for item in items))
    else:
        PAGE.write_text(build_page(), encoding="utf-8")
