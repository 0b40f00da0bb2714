"""Random and damaged system files and auctions: a result, or an error of dealerkit that says what is wrong."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import dealerkit as dk

SHIPPED = sorted((Path(dk.__file__).parent / "bidding" / "systems").glob("*.system"))
WORDS = (
    "1C 1D 1H 1S 1NT 2C 2S 3NT 7NT P X XX 1M 2oM 3m 1x (1x) (1NT) (1S) ? * (*) opening after seat vulnerable not 3-4 "
    "otherwise forcing alert system extends hcp spades hearts clubs M m x oM top3 shape balanced losers cccc and or not "
    "( ) , + - 15-17 5+ 3- 12 22+ >= == < = { } any 4333 5xxx 5+M(332) shape(any shape{ \"text\" \" # $low $ word good(x) "
    "good(spades) north dds rnd(5) / % 0 ? : 99999999999999999999 \u2660 \0 \t 1.5 min(hcp,3) hascard(AS) AS NS from b judgement source"
).split(" ")  # fmt: skip
CALLS = [f"{level}{strain}" for level in range(0, 9) for strain in ("C", "d", "H", "S", "N", "NT")] + [
    "P", "p", "pass", "X", "XX", "dbl", "AP", "(", ")", "-", "(1S)", "(X)", "(P)", "=1=", "!", "?", "mb|1N|", "", "\u2660", "10H",
]  # fmt: skip


def write_system(source: random.Random) -> str:
    """Return random lines, or a shipped file with some characters or words changed."""
    if source.random() < 0.5:
        lines = ["opening"] if source.random() < 0.7 else []
        for _ in range(source.randrange(8)):
            head = source.choice(
                [
                    "1C hcp",
                    "P otherwise",
                    "after 1C",
                    "after",
                    "good(x) =",
                    "w =",
                    "2M",
                    "opening",
                    "source b",
                ]
            )
            lines.append(f"{head} {' '.join(source.choices(WORDS, k=source.randrange(9)))}")
        return "\n".join(lines)
    text = source.choice(SHIPPED).read_text(encoding="utf-8")
    lines = text.split("\n")
    n_head = lines.index("")  # title and sources
    n_words = next(k for k, line in enumerate(lines) if line.startswith(("opening", "after")))
    start = source.randrange(n_words, len(lines))
    head = lines[:n_head] if source.random() < 0.5 else [line for line in lines[:n_head] if line[:1] != "#"]
    words = "\n".join(head + lines[n_head:n_words] + lines[start : start + 12]).split(" ")
    for _ in range(source.randrange(1, 4)):
        place = source.randrange(len(words))
        words[place] = source.choice(
            [source.choice(WORDS), words[place][:-1], words[place] + source.choice('+-,()x"\n')]
        )
    return " ".join(words)


def write_auction(source: random.Random) -> str:
    separator = source.choice([" ", "-", " ", ", "])
    return separator.join(source.choices(CALLS, k=source.randrange(7)))


def try_system(text: str, source: random.Random) -> bool:
    """Use a system in all ways; return whether it could be read."""
    try:
        system = dk.parse_system(text)
        system.check()
        for after in ("", "1C", "(1S)"):
            try:
                system.frequencies(after)
            except dk.ArgumentError as error:
                assert "says nothing" in str(error)
        try:
            auction = dk.auction(write_auction(source), system, source.randrange(4), defence=system)
            assert auction.text and auction.condition
        except dk.ArgumentError as error:
            assert str(error)
        return True
    except dk.DealerkitError as error:
        assert str(error)
        return False


def test_random_systems():
    source = random.Random(2)
    read = [try_system(write_system(source), source) for _ in range(60)]
    assert 1 < sum(read) < 57


def test_random_auctions():
    source = random.Random(1)
    sayc, n_read = dk.system("sayc"), 0
    for _ in range(150):
        text = write_auction(source)
        try:
            auction = dk.auction(text, sayc, source.randrange(4), defence=sayc)
        except dk.ArgumentError as error:
            assert str(error)
            continue
        n_read += 1
        dk.parse(auction.condition)
    assert n_read > 4


@pytest.mark.parametrize(
    "text",
    [
        "opening\n1C " + "(" * 3000 + "hcp 12" + ")" * 3000, "opening\n1C " + "not " * 5000 + "hcp 12",
        "a = hcp 5\n" + "".join(f"a{k} = a{k - 1 if k else ''} or a{k - 1 if k else ''}\n" for k in range(60)),
        "opening\n1C " + " or ".join(["hcp 12"] * 4000), "opening\n" + "1C hcp 12\n" * 3000, "after " + "* " * 60 + "\nP otherwise",
        "after " + "? " * 250 + "\nP otherwise", "opening\n1C hcp 12+ \"" + "x" * 300_000,
        "".join(f"w{k} = hcp {k % 37}\n" for k in range(400)),
    ],
)  # fmt: skip
def test_large_systems_end_in_time(text):
    try:
        dk.parse_system(text).find_choices([])
    except dk.DealerkitError as error:
        assert str(error)
