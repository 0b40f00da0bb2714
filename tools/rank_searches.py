"""Rank of the right page for searches that people type: ``python tools/rank_searches.py MANUAL...``.

MANUAL is a folder with a built manual. Its own search page is opened in Debian's Chromium, as a reader
opens it. A rank is the place of the first result that leads to the page, 1 being the top; a dash says that no
result does. With several folders each has a column. ``--names`` searches for every public name of Python
instead and lists those whose own page is not among the first three results. ``--index`` needs no browser: it
looks whether the index of the search has each name, and ends with status 1 if one is missing.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from urllib.parse import quote

SEARCHES = {
    "lead": "howto/lead",
    "evaluator": "howto/comparison",
    "cluster": "howto/clusters",
    "slider": "howto/explorer",
    "install": "howto/installation",
    "opening lead": "howto/lead",
    "finesse or drop": "howto/suit",
    "game or partscore": "howto/contract",
    "how many points for game": "howto/contract",
    "notrump range": "howto/systems",
    "bidding system": "howto/systems",
    "compare evaluators": "howto/comparison",
    "own evaluator": "howto/own-evaluators",
    "lesson": "howto/lesson",
    "hand records": "howto/club-evening",
    "dealing machine": "reference/formats/machines",
    "pbn file": "reference/formats/pbn",
    "bbo": "howto/from-bbo",
    "matchpoints": "howto/tournaments",
    "luck": "explanation/luck-and-skill",
    "restricted choice": "howto/plan",
    "save results": "howto/results",
    "checkpoint": "howto/results",
    "csv": "howto/other-tools",
    "confidence interval": "explanation/statistics",
    "predeal": "reference/language/syntax",
    "equal shares": "howto/levelling",
    "jupyter": "howto/notebook",
    "law of total tricks": "howto/standard-tables",
    "memory limit": "howto/limits",
    "underlead an ace": "howto/lead",
    "lead against 3NT": "howto/lead",
    "percentage play": "howto/suit",
    "drop the queen": "howto/suit",
    "3-2 break": "howto/plan",
    "two finesses": "howto/plan",
    "what does partner have": "howto/auction",
    "preempt": "howto/auction-questions",
    "strong club": "howto/systems",
    "weak notrump": "howto/systems",
    "bidding practice": "howto/lesson",
    "print deals": "howto/sheets",
    "victory points": "reference/tournaments",
    "IMP table": "reference/tournaments",
    "Bridgemate": "howto/tournaments",
    "teams match": "howto/tournaments",
    "par score": "reference/doubledummy",
    "grand slam": "howto/standard-tables",
    "quick tricks": "reference/evaluators",
    "Bergen points": "reference/evaluators",
    "margin of error": "explanation/statistics",
    "faster": "explanation/performance",
    "trick predictor": "explanation/trick-model",
    "lin file": "reference/formats/files",
    "license": "reference/licences",
    "error message": "reference/language/mistakes",
    "colab": "howto/installation",
    "yarborough": "reference/published-values",
    "smartstack": "howto/from-redeal",
    "export to excel": "howto/other-tools",
}


def open_search(folder: Path, browser) -> Callable[[str], list[str]]:
    """Return a function that gives the addresses of the results of a search, the best first."""
    page = browser.new_page()
    address = (folder / "search.html").resolve().as_uri()

    def search(words: str) -> list[str]:
        page.goto(f"{address}?q={quote(words)}")
        page.wait_for_function("document.querySelector('.search-summary')?.innerText")
        return page.eval_on_selector_all(
            "ul.search > li > a", "links => links.map(a => a.getAttribute('href'))"
        )

    return search


def find_rank(results: Iterable[str], address: str) -> int | None:
    """Return the place of the first result that leads to a page, or to a place on it."""
    pages = [result.partition("#")[0] for result in results]
    return pages.index(address) + 1 if address in pages else None


def list_names() -> list[str]:
    """Return the public names of Python."""
    import dealerkit

    return [name for name in dealerkit.__all__ if not name.startswith("_")]


def find_missing_names(folder: Path) -> list[str]:
    """Return the public names for which the search of a manual has no page of the reference."""
    text = (folder / "searchindex.js").read_text(encoding="utf-8")
    index = json.loads(text[text.index("(") + 1 : text.rindex(")")])
    pages = {
        f"{prefix}.{name}": index["docnames"][page]
        for prefix, entries in index["objects"].items()
        for page, *_, name in entries
    }
    return [
        name
        for name in list_names()
        if not pages.get(f"dealerkit.{name}", "").startswith("reference/python/")
    ]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("manual", nargs="+", type=Path)
    parser.add_argument("--names", action="store_true")
    parser.add_argument("--index", action="store_true")
    options = parser.parse_args()
    if options.index:
        missing = [name for folder in options.manual for name in find_missing_names(folder)]
        sys.exit(f"the search does not find {', '.join(missing)}" if missing else 0)
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        searches = [open_search(folder, browser) for folder in options.manual]
        if options.names:
            for name in list_names():
                ranks = [
                    find_rank(search(name), f"reference/python/generated/dealerkit.{name}.html")
                    for search in searches
                ]
                if any(rank is None or rank > 3 for rank in ranks):
                    print(f"{name:28}", *(rank or "–" for rank in ranks))
        else:
            for words, page in SEARCHES.items():
                ranks = [find_rank(search(words), f"{page}.html") for search in searches]
                print(f"{words:28}{page:28}", *(f"{rank or '–':>4}" for rank in ranks))
        browser.close()


if __name__ == "__main__":
    main()
