"""`dealerkit deal`: deal hands."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from dealerkit.cards.names import SEATS


def add(verbs: Any) -> argparse.ArgumentParser:
    """Add the verb's arguments."""
    deal: argparse.ArgumentParser = verbs.add_parser(
        "deal", help="deal hands", description="Deal hands; a diagram for each deal."
    )
    deal.add_argument("count", nargs="?", type=int, default=1, help="how many (default: 1)")
    deal.add_argument("-s", "--seed", type=int, metavar="N")
    deal.add_argument(
        "--given", metavar="CONDITION", help="a condition of the dealer language, such as 'hcp(north) > 15'"
    )
    for seat in SEATS:
        deal.add_argument(f"--{seat}", metavar="CARDS", help="predealt cards, such as SAKQ,H5")
    deal.add_argument(
        "--format", default="diagram", choices=("diagram", "pbn", "line"), help="default: diagram"
    )
    deal.add_argument("--threads", type=int, metavar="N", help="default: one for each processor")
    return deal


def execute(options: argparse.Namespace) -> int:
    """Deal and print; returns the exit status."""
    from dealerkit.simulation.run import deal

    seats = {seat: getattr(options, seat) for seat in SEATS if getattr(options, seat)}
    deals = deal(options.count, options.seed, seats or None, options.given, threads=options.threads)
    if options.format == "pbn":
        lines = deals.to_pbn()
    elif options.format == "line":
        lines = deals.to_lines()
    else:
        lines = [f"{one}\n" for one in deals]
    sys.stdout.writelines(f"{line}\n" for line in lines)
    sys.stdout.flush()
    return 0
