"""Panels: errors and warnings in a notebook, with their place, the marked line and a remedy."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from html import escape

from dealerkit import errors, registry
from dealerkit.advice.findings import Finding
from dealerkit.appearance.html import render_fragment
from dealerkit.errors import DealerkitError, DealerkitWarning, Remedy, ScriptError, find_word
from dealerkit.language.dialects import MODERN
from dealerkit.language.source import describe_place
from dealerkit.language.vocabulary import list_keywords

MAX_PANELS = 3  # panels that are shown for one script
MAX_WIDTH = 160  # characters that are shown of a line of code
_CODE = re.compile(r"`([^`]+)`|'([^']+)'|(?<![\w\"'])(\$[A-Za-z_]\w*)|(?<= )([<>=!]=)(?=[ :.]|$)")

# The first sentence of a warning: whether the deals are valid
VALIDITY: dict[type[DealerkitWarning], str] = {
    errors.UnsatisfiableWarning: "There are no deals",
    errors.NothingProducedWarning: "There are no deals",
    errors.MistakeWarning: "The deals are valid for the script as it is written",
    errors.CompatibilityWarning: "The deals are valid under the rules of this dialect",
    errors.IncompleteWarning: "The deals are valid, but they are not a random sample of all deals",
    errors.DoubleDummyBias: "The deals are valid; tricks assume that all players see all cards",
    errors.DependentEstimates: "The interval is valid, but may be much too wide",
    errors.SmallSample: "The deals are valid, but few",
    errors.TruncatedRun: "The deals are valid, but there are fewer than planned",
    errors.SkippedWarning: "The boards that were read are valid",
    errors.CacheWarning: "The deals are valid; only the next start is slower",
}


@dataclass(frozen=True)
class Code:
    """A line of code with a marked part.

    Attributes
    ----------
    number : int
        The number of the line, from 1.
    before, marked, after : str
        The text before the marked part, the marked part, and the text after it.
    following : str
        The next line; empty if it is not known.
    """

    number: int
    before: str
    marked: str
    after: str = ""
    following: str = ""


@dataclass(frozen=True)
class Panel:
    """A mistake or a warning, as HTML and as text.

    Parameters
    ----------
    tone : {"error", "warning"}
        Whether it is shown as an error or as a warning.
    message : Message
        The text, split into its parts.
    code : Code or None
        The line with the mistake.
    corrected : Code or None
        The corrected line, with the replacement marked.

    Examples
    --------
    >>> from dealerkit.errors import ScriptError
    >>> print(build_panel(ScriptError("unknown word 'hpc'", None, 1, 11, "condition hpc(north) > 5")))
    Unknown word 'hpc'
    script, line 1, column 11
      1 │ condition hpc(north) > 5
        │           ^^^
    """

    tone: str
    message: Message
    code: Code | None = None
    corrected: Code | None = None

    def __str__(self) -> str:
        message = self.message
        lines = [_strip_marks(message.title), *filter(None, [message.place])]
        if self.code is not None:
            lines += _draw_code(self.code)
        lines += [_end_sentence(_strip_marks(note)) for note in message.notes]
        if message.remedy:
            lines.append(f"Remedy: {_strip_marks(message.remedy)}{'.' if self.corrected is None else ':'}")
        if self.corrected is not None:
            lines.append(_draw_code(self.corrected)[0])
        return "\n".join(lines)

    def render_html(self) -> str:
        """Return the panel as HTML, without the style sheet."""
        message, role = self.message, "alert" if self.tone == "error" else "status"
        parts = [f"<h3>{_mark_html(message.title)}</h3>"]
        if message.place:
            parts.append(f'<p class="dk-quiet">{escape(message.place)}</p>')
        if self.code is not None:
            parts.append(_render_code(self.code, "mark"))
        parts += [f"<p>{_mark_html(_end_sentence(note))}</p>" for note in message.notes]
        if message.remedy:
            text = capitalize(message.remedy) + ("." if self.corrected is None else ":")
            parts.append(f"<p><b>Remedy.</b> {_mark_html(text)}</p>")
        if self.corrected is not None:
            parts.append(_render_code(self.corrected, "ins"))
        return f'<div class="dk-panel dk-{self.tone}" role="{role}">{"".join(parts)}</div>'


@dataclass(frozen=True)
class Panels:
    """Panels that IPython displays together.

    Attributes
    ----------
    panels : sequence of Panel
        The panels, at most `MAX_PANELS`.
    n_more : int
        Number of mistakes that are not shown.
    """

    panels: Sequence[Panel]
    n_more: int = 0

    def _count_further(self) -> str:
        if not self.n_more:
            return ""
        return f"{self.n_more} more mistakes" if self.n_more > 1 else "One more mistake"

    def __str__(self) -> str:
        return "\n\n".join(filter(None, [*map(str, self.panels), self._count_further()]))

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        body = "".join(panel.render_html() for panel in self.panels)
        if self.n_more:
            body += f'<p class="dk-quiet">{self._count_further()}.</p>'
        return render_fragment(body, str(self))


def build_panels(error: DealerkitError, place: str = "", code: Code | None = None) -> Panels:
    """Return the panels of an error; `place` and `code` say where the cell raised it."""
    if isinstance(error, ScriptError):
        every = error.errors
        return Panels([build_panel(each) for each in every[:MAX_PANELS]], len(every[MAX_PANELS:]))
    return Panels([Panel("error", split_message(str(error), place), code)])


def build_panel(error: ScriptError) -> Panel:
    """Return the panel of one mistake in a script."""
    place = f"{error.file or 'script'}, line {error.line}, column {error.column}"
    corrected = _split_correction(error)
    message = split_message(error.reason, place, error.remedy, corrected is not None)
    if not error.source:
        return Panel("error", message)
    start, word = error.column - 1, find_word(error.source, error.column)
    before, after = error.source[:start], error.source[start + len(word) :]
    code = _shorten(Code(error.line, before, word, after, error.following))
    return Panel("error", message, code, None if corrected is None else _shorten(corrected))


def build_finding_panel(finding: Finding, remark: str = "") -> Panel:
    """Return the panel of a finding of `check`, with a remark after its place."""
    tone = "error" if finding.kind == "refused" else "warning"
    remedy = Remedy(finding.remedy) if finding.remedy else None
    if not finding.line:
        return Panel(tone, split_message(finding.message, remedy=remedy))
    error = finding.error
    if error is None or remedy is not None:
        error = ScriptError(finding.message, finding.file, finding.line, finding.column, finding.source,
                            remedy=remedy)  # fmt: skip
    panel = build_panel(error)
    place = f"{panel.message.place}. {remark}" if remark else panel.message.place
    return replace(panel, tone=tone, message=replace(panel.message, place=place))


def build_warning(warning: DealerkitWarning, place: str = "") -> Panels:
    """Return the panel of a warning, which says first whether the deals are valid."""
    if (found := warning.place) is not None:
        file = found.origin.file if found.origin is not None else None
        place = f"{file or 'script'}, {describe_place(found, None)}"
    message = split_message(warning.reason, place, warning.remedy)
    validity = next((VALIDITY[base] for base in type(warning).__mro__ if base in VALIDITY), None)
    notes = message.notes if validity is None else (validity, *message.notes)
    return Panels([Panel("warning", replace(message, notes=notes))])


def _shorten(code: Code) -> Code:
    """Return the code with tabs as blanks, and with very long lines shortened."""
    before, marked, after, following = (
        text.replace("\t", " ") for text in (code.before, code.marked, code.after, code.following)
    )
    if len(before) > MAX_WIDTH // 2:
        before = "…" + before[-MAX_WIDTH // 2 :]
    marked, after, following = marked[:MAX_WIDTH], after[:MAX_WIDTH], following[:MAX_WIDTH]
    return Code(code.number, before, marked, after, following)


def _draw_code(code: Code) -> list[str]:
    """Return the line with its number, carets below the marked part, and the next line if it is known."""
    number = str(code.number)
    margin = " " * len(number)
    lines = [
        f"  {number} │ {code.before}{code.marked}{code.after}".rstrip(),
        f"  {margin} │ {' ' * len(code.before)}{'^' * max(len(code.marked), 1)}",
    ]
    if code.following.strip():
        lines.append(f"  {code.number + 1:>{len(number)}} │ {code.following}".rstrip())
    return lines


def _render_code(code: Code, tag: str) -> str:
    """Return a line as HTML, with carets below the marked part if the tag is mark."""
    first, *below = _draw_code(code)
    margin = first.index("│") + 2
    head = f'<span class="no">{escape(first[2:margin])}</span>'
    mark = ' class="at"' if tag == "mark" else ""
    rows = [f"{head}{escape(code.before)}<{tag}{mark}>{escape(code.marked)}</{tag}>{escape(code.after)}"]
    if tag == "mark":
        carets = f'<span class="at">{below[0][margin:]}</span>'
        rows.append(f'<span class="no">{below[0][2:margin]}</span>{carets}')
        rows += [f'<span class="no">{row[2:margin]}</span>{escape(row[margin:])}' for row in below[1:]]
    return f"<pre>{chr(10).join(rows)}</pre>"


def _mark_html(text: str) -> str:
    """Return a text as HTML, with its quoted names and expressions as code."""
    parts, end = [], 0
    for match in _CODE.finditer(text):
        quoted = next(group for group in match.groups() if group is not None)
        parts += [escape(text[end : match.start()]), f"<code>{escape(quoted)}</code>"]
        end = match.end()
    return "".join([*parts, escape(text[end:])])


def _strip_marks(text: str) -> str:
    return text.replace("`", "")


def _end_sentence(text: str) -> str:
    sentence = capitalize(text.strip())
    return sentence if sentence.endswith((".", "!", "?", ":")) else f"{sentence}."


_ARGUMENTS = (
    "params",
    "keep",
    "stream",
    "plan",
    "source",
    "threads",
    "confidence",
    "deals",
    "target",
    "sample",
)


@dataclass(frozen=True)
class Message:
    """The parts of a message.

    Parameters
    ----------
    title : str
        What is wrong.
    place : str
        Where in the script or notebook it is; empty if this is not known.
    notes : tuple of str
        Further reasons, each without a full stop.
    remedy : str
        What to do, without a full stop; empty if no remedy is known.
    """

    title: str
    place: str = ""
    notes: tuple[str, ...] = ()
    remedy: str = ""


def split_message(
    reason: str, place: str = "", remedy: Remedy | None = None, is_shown: bool = False
) -> Message:
    """Split a message into its parts.

    Parameters
    ----------
    reason : str
        The message; semicolons separate the notes from the title and from each other.
    place : str
        Where the mistake is.
    remedy : Remedy or None
        The replacement, if one is known.
    is_shown : bool
        Whether the corrected line is shown below the message, so that the remedy does not repeat it.

    Returns
    -------
    Message

    Examples
    --------
    >>> from dealerkit.errors import Remedy
    >>> message = split_message("unknown function 'hpc'", "", Remedy("hcp", "word", "did you mean"))
    >>> message.title, message.remedy
    ("Unknown function 'hpc'", 'the nearest name is `hcp`, high-card points')
    >>> split_message("no deals; raise the generate limit").notes
    ('raise the generate limit',)
    """
    title, *notes = reason.split("; ")
    text = ""
    if remedy is not None and remedy.lead == "did you mean":
        text = _name_nearest(remedy.text)
    elif remedy is not None:
        lead = "probably meant:" if remedy.lead == "probably meant" else "write"
        text = lead.rstrip(":") if is_shown else f"{lead} `{remedy.text}`"
    return Message(capitalize(title), place, tuple(notes), text)


def _split_correction(error: ScriptError) -> Code | None:
    """Return the corrected line of an error with its new part marked, or None without a correction."""
    line = error.corrected
    if line is None or line == error.source:
        return None
    before = os.path.commonprefix([error.source, line])
    old, new = error.source[len(before) :], line[len(before) :]
    n_after = len(os.path.commonprefix([old[::-1], new[::-1]]))
    if error.remedy is not None and error.remedy.replaces == "word":  # mark the word, not single letters
        before, new = error.source[: error.column - 1], line[error.column - 1 :]
        n_after = len(new) - len(error.remedy.text)
    return Code(error.line, before, new[: len(new) - n_after], new[len(new) - n_after :])


def _name_nearest(name: str) -> str:
    """Return the remedy for a misspelt name: the nearest name, and what it means."""
    function = registry.find_function(name)
    summary = function.summary.partition(":")[0] if function is not None else ""
    return f"the nearest name is `{name}`" + (f", {summary}" if summary else "")


def capitalize(sentence: str) -> str:
    """Return a sentence with a capital first letter, unless it begins with a name of the language.

    >>> capitalize("unknown variable 'y'"), capitalize("hcp takes one hand")
    ("Unknown variable 'y'", 'hcp takes one hand')
    """
    first = re.match(r"[a-z]+(?![\w(=])", sentence)
    if first is None or first[0] in _ARGUMENTS or first[0] in list_keywords(MODERN):
        return sentence
    return sentence[0].upper() + sentence[1:]
