"""`check`: the parts of a script that a program refuses or interprets differently, and likely mistakes."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence, Set
from pathlib import Path

from dealerkit.advice.explain import explain
from dealerkit.advice.findings import Finding, Findings, build_finding, from_error
from dealerkit.advice.likely_mistakes import find_text_mistakes
from dealerkit.advice.programs import PROGRAMS, find_errors, find_program_limits, find_text_limits, split_text
from dealerkit.arguments import check_truth, is_empty
from dealerkit.compiler.graph import OperationGraph
from dealerkit.compiler.text_mistakes import Mistake, merge_mistakes
from dealerkit.errors import ArgumentError, DealerkitError, Parameter, ScriptError, suggest_name
from dealerkit.language import nodes
from dealerkit.language.checks import Program, check_script, list_point_tables
from dealerkit.language.dialects import MODERN, Rules, find_rules
from dealerkit.language.parser import parse_script
from dealerkit.language.scenarios import unwrap
from dealerkit.language.script import Script
from dealerkit.language.script_variables import Params
from dealerkit.language.source import ScriptSource, decode_script, read_encoded
from dealerkit.language.trees import walk
from dealerkit.registry import find_function
from dealerkit.runtime.confined import MEMORY, SECONDS, Confinement, leave_folder
from dealerkit.runtime.progress import long_work
from dealerkit.translate.scripts import translate_statements

TARGETS = ("bbo", "v1", "v2", "modern")
_PROGRAMS = {"bbo": "Bridge Base Online", "v1": "dealer", "v2": "DealerV2", "modern": "dealerkit"}
MAX_PILOT_COST = 10_000.0  # nanoseconds per deal; costlier functions are not evaluated on pilot deals
_REMEDY_LENGTH = 400  # longest statement that is shown as a remedy


@long_work
def check(
    script: str | bytes | os.PathLike | Script,
    target: str = "modern",
    *,
    params: Params = (),
    include: Sequence[str | os.PathLike] | None = (),
    untrusted: bool = False,
) -> Findings:
    """Find likely mistakes in a script, and parts that a program refuses or interprets differently.

    Parameters
    ----------
    script : str, bytes, os.PathLike or Script
        The text, the content or path of a file, or what `parse` returned.
    target : {"v1", "v2", "modern", "bbo"}
        The program that will run the script: dealer (Debian 20211121), DealerV2, dealerkit, or the dealer
        box of Bridge Base Online, which runs dealer.
    params : mapping or sequence
        Values of the script variables, as for `run`; dealer has none.
    include : sequence of str or os.PathLike
        Folders to search for included files after the folder of the script. dealer does not include files,
        but variables that they define are not reported as unknown. If None, no file is included.
    untrusted : bool
        Whether the script is from a stranger. It is then checked in a process of its own, with limits of
        10 seconds and 1 GB, and includes no files.

    Returns
    -------
    Findings
        A list of `Finding` in the order of the text, empty if nothing is found. It can be shown as text,
        HTML and JSON.

    Raises
    ------
    FileError
        The file cannot be read.
    ArgumentError
        The target is unknown, or an untrusted script is given with `include` or is a `Script`.
    TimeLimitError, MemoryLimitError
        The check of an untrusted script needs more than its limits.

    See Also
    --------
    explain : the meaning of a script.

    Examples
    --------
    >>> for finding in check("condition hcp(north) >= 15.5 and par(NS) > 400  # strong", "v1"):
    ...     print(finding.column, finding.message)
    25 this dialect has no numbers with a decimal point; write `hcp(north) >= 16`
    34 'par' is a function of DealerV2 and dealerkit, which dealer does not have
    49 in v1 a # comment must begin in column 1; write // here
    >>> check("condition 15 <= hcp(north) <= 17")[0].remedy
    '15 <= hcp(north) and hcp(north) <= 17'
    """
    if not isinstance(target, str) or target not in TARGETS:
        close = suggest_name(str(target), TARGETS) or f"; the targets are {', '.join(TARGETS)}"
        raise ArgumentError(f"unknown target {target!r}{close}")
    if check_truth("untrusted", untrusted):
        if isinstance(script, Script) or not is_empty(include):
            raise ArgumentError(
                Parameter("untrusted=", True), " needs a text or a file and includes no files; leave out ",
                Parameter("include="),
            )  # fmt: skip
        with Confinement(__name__, SECONDS, MEMORY) as process:
            findings: Findings = process.call("check_here", script, target, params)
        return findings
    if isinstance(script, Script):
        text, file = script.text, script.file
    else:
        text, file = (script, None) if isinstance(script, str) else _read_file(script)
    rules = find_rules("v1" if target == "bbo" else target)
    if target == "bbo":
        text = _blank_wrapper(text)
    checker = _Checker(text, file, rules, params, include)
    found = checker.check()
    if target == "bbo":
        found += _find_bbo_limits(checker.source)
    name = Path(file).name if file else "the script"
    title = f"Check of {name} for {_PROGRAMS[target]}"
    return Findings(sorted(found, key=lambda finding: (finding.line, finding.column)), title)


def prepare_calls() -> None:
    """Check a small script, so that the tables of most checks are loaded; see `confined.serve`."""
    check("condition hcp(north) + losers(south) > 16 action average hcp(west)", include=None)


def check_here(script: str | bytes | os.PathLike, target: str, params: Params) -> Findings:
    """Check an untrusted script in this process, which has been started for it."""
    if not isinstance(script, os.PathLike):
        leave_folder()
    return check(script, target, params=params, include=None)


def find_refusals(text: str, target: str, file: str | None = None) -> list[Finding]:
    """Return the parts that a program refuses or interprets differently, without likely mistakes."""
    checker = _Checker(text, file, find_rules("v1" if target == "bbo" else target))
    return checker.find_refusals()[0]


def _read_file(script: bytes | os.PathLike) -> tuple[str, str | None]:
    """Return the text of a file with its byte order mark, which the programs also read, and its name."""
    content, file = read_encoded(script)
    return ("\ufeff" if content.startswith(b"\xef\xbb\xbf") else "") + decode_script(content), file


class _Checker:
    """The check of one script by the rules of a program."""

    def __init__(
        self,
        text: str,
        file: str | None,
        rules: Rules,
        params: Params = (),
        include: Sequence[str | os.PathLike] | None = (),
    ) -> None:
        self.text, self.file, self.rules = text, file, rules
        self.params: Params = params if rules.extensions else ()
        self.include = include
        self.source = ScriptSource(text, rules, file)
        try:
            self.here: Script | None = parse_script(text, MODERN, file, params, include)
        except DealerkitError:
            self.here = None
        self.remedies = list(self._write_remedies())
        self.warned: set[Finding] = set()  # warnings of the parser that have a place

    def check(self) -> list[Finding]:
        """Return all findings."""
        findings, program = self.find_refusals()
        findings += self._compare_tables()
        findings += self._compare_variants()
        if program is not None:
            findings += self._find_mistakes(program.script, self.rules)
        elif self.here is not None:
            findings += self._find_mistakes(self.here, MODERN)
        return list(_drop_repeated(findings, self.warned))

    def find_refusals(self) -> tuple[list[Finding], Program | None]:
        """Return the parts that the program refuses or interprets differently, and the checked script.

        The checked script is None if the script has an error.
        """
        findings: list[Finding] = []
        text = self.text
        if self.rules.name == "v1" and (end := _find_end(text)) is not None:
            message = "dealer ends the script at this character; it does not read what follows"
            remedy = "; save the file without a byte order mark" if text[end] == "\ufeff" else ""
            findings.append(build_finding("differs", message + remedy, self.source, end))
            text = text[:end]
        if not self.rules.modern_syntax:
            findings += find_text_limits(ScriptSource(text, self.rules, self.file))
        errors, program, is_complete = find_errors(
            text.removeprefix("\ufeff"),
            self.rules,
            self.file,
            self.params,
            self.include,
            self._find_included(),
        )
        findings += [self._classify(error) for error in errors]
        if program is not None:
            if not self.rules.modern_syntax:
                findings += find_program_limits(program, self.source)
            for warning in program.warnings:
                remedy = warning.remedy.text if warning.remedy else ""
                place = warning.place or 0
                findings.append(build_finding("differs", warning.reason, self.source, place, remedy))
                self.warned |= set(findings[-1:] if warning.place else ())
        return findings, program if is_complete else None

    def _compare_tables(self) -> Iterator[Finding]:
        """Yield a finding for each `altcount` whose number is that of another table in the program."""
        if self.here is None or self.rules.altcount_offset == MODERN.altcount_offset:
            return
        tables, there = list_point_tables(MODERN), list_point_tables(self.rules)
        for node in self.here.statements:
            number = node.number if isinstance(node, nodes.PointTable) else None
            if number is not None and 0 <= number < len(tables):
                table = tables[number]
                message = f"altcount {number} changes {there[number]} in dealer and {table} here"
                remedy = f"altcount {there.index(table)}"
                yield build_finding("differs", message, self.source, node.place, remedy)

    def _compare_variants(self) -> Iterator[Finding]:
        """Yield a finding for the first call of each function that the program defines differently."""
        if self.here is None or self.rules.variant == MODERN.variant:
            return
        seen = set()
        for node in (node for statement in self.here.statements for node in walk(statement)):
            function = find_function(node.function) if type(node) is nodes.Call else None
            if function is None or function.name in seen or self.rules.variant not in function.variants:
                continue
            seen.add(function.name)
            program = PROGRAMS[self.rules.name]
            message = f"{program} defines {function.name} differently, and some hands have other values there"
            yield build_finding("differs", message, self.source, node.place)

    def _find_included(self) -> frozenset[str]:
        """Return the variables that included files define, which dealerkit reads."""
        if self.here is None:
            return frozenset()
        places = {
            node.name: node.place.origin for node in self.here.statements
            if isinstance(node, nodes.Definition) and node.place
        }  # fmt: skip
        return frozenset(
            name for name, origin in places.items() if origin is not None and origin.file != self.file
        )

    # ------------------------------------------------------------ errors
    def _classify(self, error: ScriptError) -> Finding:
        """Return an error as a finding."""
        if error.kind == "limit":
            return from_error(error, "limit")
        offset = _find_offset(self.text, error)
        if self.rules.name == "v1":
            if re.compile(r"-\s*([0-9]{1,3}|[0-9]{5,})(?![0-9])").match(self.text, offset):
                before = self.text[:offset].split()[-1:]
                if before in (["generate"], ["produce"]):
                    return from_error(error, "differs")
            if error.kind == "unknown table":
                return from_error(error, "stops")
            if error.kind == "empty range" and _is_allocated(self.text, offset):
                return from_error(error, "differs")
        return from_error(error, "refused", self._find_remedy(error))

    def _write_remedies(self) -> Iterator[tuple[int, int, str]]:
        """Yield line, column and translation of each statement that differs in the program's language."""
        if self.here is None or self.rules.modern_syntax:
            return
        try:
            statements = translate_statements(self.here, self.rules)
        except DealerkitError:
            return
        for place, text in statements:
            if place is not None and (place.origin is None or place.origin.file == self.file):
                yield place.line, place.column, text

    def _find_remedy(self, error: ScriptError) -> str:
        """Return the translation of the statement with an error, once for each statement; or ""."""
        if error.kind == "comment":  # the statement is right, and the reason says how to write the comment
            return ""
        position = (error.line, error.column)
        before = [entry for entry in self.remedies if entry[:2] <= position]
        if not before:
            return ""
        self.remedies.remove(before[-1])
        self.remedies.append((*before[-1][:2], ""))
        self.remedies.sort(key=lambda entry: entry[:2])
        text = before[-1][2]
        return text if len(text) <= _REMEDY_LENGTH else ""

    # ------------------------------------------------------------ warnings and mistakes
    def _find_mistakes(self, script: Script, rules: Rules) -> Iterator[Finding]:
        """Yield the likely mistakes, but not variables of included files that are not used."""
        error, mistakes = _list_mistakes(script, rules)
        if error is not None:
            if rules.modern_syntax and isinstance(error, ScriptError):
                yield from_error(error, "refused")
            return
        for mistake in mistakes:
            origin = mistake.place.origin if mistake.place else None
            if mistake.kind == "unused" and origin is not None and origin.file != self.file:
                continue
            yield build_finding("mistake", mistake.message, self.source, mistake.place, mistake.instead)


def _list_mistakes(script: Script, rules: Rules) -> tuple[DealerkitError | None, Sequence[Mistake]]:
    """Return the error of a script, and its likely mistakes; pilot deals are used unless they cost much."""
    calls = (node for statement in script.statements for node in walk(statement) if type(node) is nodes.Call)
    functions = [find_function(name) for name in {call.function for call in calls}]
    if not any(function is not None and function.cost > MAX_PILOT_COST for function in functions):
        explanation = explain(script, dialect=rules.name)
        return explanation.error, explanation.mistakes
    try:
        program = check_script(script)
        return None, merge_mistakes(find_text_mistakes(program, OperationGraph(rules, program)))
    except DealerkitError as error:
        return error, ()


def _drop_repeated(findings: Sequence[Finding], warned: Set[Finding]) -> Iterator[Finding]:
    """Yield the findings without repetitions at a place and without warnings where a mistake is reported."""
    mistakes = {(finding.line, finding.column) for finding in findings if finding.kind == "mistake"}
    seen: set[tuple[int, int, str]] = set()
    for finding in findings:
        place = (finding.line, finding.column)
        key = (*place, finding.kind if finding.kind == "differs" else finding.message)
        is_repeated = finding in warned and place in mistakes
        if key not in seen and not is_repeated:
            yield finding
        seen.add(key)


def _find_end(text: str) -> int | None:
    """Return the offset of a character at which dealer stops reading the script, or None."""
    pieces = split_text(text)
    return next((piece.start for piece in pieces if piece.text == "\0" or not piece.text[0].isascii()), None)


def _find_offset(text: str, error: ScriptError) -> int:
    return sum(len(line) + 1 for line in text.split("\n")[: error.line - 1]) + error.column - 1


def _is_allocated(text: str, offset: int) -> bool:
    """Return whether dealer gets memory for the frequency at an offset, whose range ends before it starts."""
    number = r"(-?\s*[0-9]+)"
    start = text.rfind("frequency", 0, offset)
    ranges = re.findall(rf",\s*{number}\s*,\s*{number}\s*(?=[,)])", text[start : offset + 400])
    end = text.find("frequency", offset)
    if end >= 0:
        ranges = re.findall(rf",\s*{number}\s*,\s*{number}\s*(?=[,)])", text[start:end])
    bounds = [(int(low.replace(" ", "")), int(high.replace(" ", ""))) for low, high in ranges[:2]]
    if len(bounds) == 1:
        return bounds[0][1] - bounds[0][0] + 1 >= 0
    size = 1
    for low, high in bounds:
        size *= high - low + 3
    return size >= 0


def _blank_wrapper(text: str) -> str:
    """Replace everything around the script in a file for BBOalert by blanks; return other texts unchanged."""
    try:
        unwrapped = unwrap(ScriptSource(text, MODERN))
    except ScriptError:  # the file is cut off
        return text
    if unwrapped is None:
        return text
    return re.sub("^Import,.*", lambda line: " " * len(line[0]), unwrapped[0], flags=re.MULTILINE)


def _find_bbo_limits(source: ScriptSource) -> Iterator[Finding]:
    """Yield findings about statements that have no effect in the dealer box of Bridge Base Online."""
    pieces = list(split_text(source.text))
    for piece, after in zip(pieces, pieces[1:], strict=False):
        if piece.text == "dealer" and after.text in ("north", "east", "south", "west"):
            message = f"on BBO, the dialog sets the dealer; choose {after.text} there and delete this line"
            yield build_finding("differs", message, source, piece.start)
