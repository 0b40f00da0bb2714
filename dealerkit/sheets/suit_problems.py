"""Practice sheets of suit problems: a suit in two hands, the tricks needed, and the answers at the end."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

from dealerkit.appearance.numbers import format_count
from dealerkit.cards.pages import Page
from dealerkit.sheets.page import read_style, render_document, split_pages

_ON_PAGE = 12  # number of problems on a page
_LINES = 2  # number of lines to write on below each problem
_STYLE = (
    ".dk-sheets .suits { font-size: 16pt; letter-spacing: .07em; line-height: 1.4; } "
    ".dk-sheets .goal { padding-top: 1mm; } "
    ".dk-sheets .writing { border-bottom: .25mm solid var(--dk-line); height: 8mm; } "
    ".dk-sheets .why { color: var(--dk-quiet); padding-top: 1mm; } "
    ".dk-sheets .paper:not(.part).paper { display: block !important; } "
    "@container (max-width: 480px) { .dk-sheets .answers.c2 { grid-template-columns: minmax(0, 1fr); } } "
)


@dataclass(frozen=True)
class SuitProblem:
    """A suit problem of a sheet.

    Attributes
    ----------
    number : int
        The number on the sheet.
    north, south : str
        The cards of the suit; empty for a void.
    tricks : int
        The number of tricks needed in the suit.
    answer : str
        What declarer plays, without a full stop.
    reasons : tuple of str
        Sentences about the answer.
    """

    number: int
    north: str
    south: str
    tricks: int
    answer: str
    reasons: tuple[str, ...] = ()


def _render_question(problem: SuitProblem) -> str:
    """Return a problem with lines to write on."""
    tricks = format_count(problem.tricks, "trick")
    lines = '<div class="writing"></div>' * _LINES
    return (
        f'<section class="cell"><div class="top"><b>{problem.number}</b>'
        "<span>dummy above, your hand below</span></div>"
        f'<div class="suits">{escape(problem.north or "–")}<br>{escape(problem.south or "–")}</div>'
        f'<p class="goal">You need {tricks}. How do you play?</p>{lines}</section>'
    )


def _render_answer(problem: SuitProblem) -> str:
    """Return the answer of a problem."""
    why = "".join(f'<p class="why">{escape(reason)}</p>' for reason in problem.reasons)
    cards = f"{problem.north or '–'} opposite {problem.south or '–'}"
    return (
        f'<section class="cell"><div class="top"><b>{problem.number}</b><span>{escape(cards)}, '
        f"{format_count(problem.tricks, 'trick')}</span></div>"
        f'<p class="goal">{escape(problem.answer)}.</p>{why}</section>'
    )


def _render_pages(title: str, note: str, cells: Iterable[Sequence[str]]) -> str:
    """Return pages of cells with a heading and a foot."""
    foot = f'<footer class="foot"><span>{escape(note)}</span></footer>' if note else ""
    return "".join(
        f'<section class="sheet"><header class="head"><div><b>{escape(title)}</b></div></header>'
        f'<div class="answers c2">{"".join(page)}</div>{foot}</section>'
        for page in cells
    )


def make_suit_page(problems: Sequence[SuitProblem], title: str, note: str, answers: bool) -> Page:
    """Return the practice sheet of suit problems.

    Parameters
    ----------
    problems : sequence of SuitProblem
        The problems.
    title, note : str
        The heading and the foot of each page.
    answers : bool
        Whether to add the answers, on pages of their own at the end.

    Returns
    -------
    Page
    """
    questions = [_render_question(problem) for problem in problems]
    pages = _render_pages(title, note, split_pages(questions, _ON_PAGE))
    first = _render_pages(title, note, [questions[:_ON_PAGE]])
    if answers:
        texts = [_render_answer(problem) for problem in problems]
        pages += _render_pages("Answers", "", split_pages(texts, _ON_PAGE))
    caption = '.write("sheet.html") writes all problems' + (", and the answers." if answers else ".")
    preview = (
        f'<div><style>{read_style()}{_STYLE}</style><pre class="dk-sheets-plain">{escape(caption)}</pre>'
        f'<div class="dk-sheets" hidden><div class="paper part">{first}</div>'
        f'<p class="caption">{escape(caption)}</p></div></div>'
    )
    return Page(len(problems), render_document(title, f'<main class="paper">{pages}</main>', _STYLE), preview)
