"""The results of a club session, from the file of its scoring program."""

from __future__ import annotations

from pathlib import Path

from dealerkit.errors import ArgumentError
from dealerkit.notebook.explorer.calls import Call
from dealerkit.notebook.explorer.questions.base import Answers, Field, Question

EXAMPLE = Path(__file__).with_name("example_results.csv")
FILE = Field(
    "file", "File of results", "", "file", hint="PBN, LIN, USEBIO or CSV; without a file, an example is read"
)
SCORE = Field(
    "scoring", "Scoring", "", "choice",
    {"": "as the file says", "matchpoints": "matchpoints", "butler": "Butler IMPs", "imps": "cross IMPs"},
)  # fmt: skip


def _make_call(answers: Answers) -> Call:
    path = answers["file"] or str(EXAMPLE)
    if answers["file"] and not Path(path).is_file():
        raise ArgumentError("File of results: the file no longer exists; choose it again")
    scoring = answers.read_choice(SCORE) or ("" if answers["file"] else "matchpoints")
    return Call("results", {"source": path} | ({"scoring": scoring} if scoring else {}))


QUESTION = Question(
    "results", "My results", "Who won our session, and on which boards?", _make_call, (FILE, SCORE),
    reads_files=True,
)  # fmt: skip
