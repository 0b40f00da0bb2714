"""Rank of the right page for searches that people type: ``python tools/rank_searches.py MANUAL...``.

MANUAL is a folder with a built manual. Its own search page is opened in Debian's Chromium, as a reader
opens it. A rank is the place of the first result that leads to the page, 1 being the top; a dash says that no
result does. With several folders each has a column. ``--names`` searches for every public name of Python
instead and lists those whose own page is not among the first three results.
"""

from __future__ import annotations

import argparse
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


def main() -> None:
    from playwright.sync_api import sync_playwright

    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("manual", nargs="+", type=Path)
    parser.add_argument("--names", action="store_true")
    options = parser.parse_args()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        searches = [open_search(folder, browser) for folder in options.manual]
        if options.names:
            import dealerkit

            for name in (name for name in dealerkit.__all__ if not name.startswith("_")):
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
