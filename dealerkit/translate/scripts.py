"""Translate scripts to another dialect: statements, actions, comments, and errors about the rest."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Any

from dealerkit.appearance.numbers import format_count
from dealerkit.appearance.wording import join_words
from dealerkit.cards.names import RANKS, SEATS, SUITS
from dealerkit.dealing.predeal import TEN, Predeal
from dealerkit.errors import ScriptError
from dealerkit.language import nodes
from dealerkit.language.arguments import EXPRESSIONS
from dealerkit.language.checks import Program, check_script, list_point_tables
from dealerkit.language.dialects import Rules
from dealerkit.language.printer import to_text
from dealerkit.language.script import Script
from dealerkit.language.signatures import ACTIONS
from dealerkit.language.source import ScriptSource, describe_place
from dealerkit.language.trees import walk
from dealerkit.language.vocabulary import classify_word, has_action, is_contextual
from dealerkit.registry import get_function
from dealerkit.translate.expressions import MAX_INTEGER, ExpressionRewriter, Scaled
from dealerkit.translate.shape_cover import find_covering_terms, limit_search


class StatementRewriter:
    """A rewriter of statements, which must come in the order of the script.

    Parameters
    ----------
    program : Program
        The content of the script.
    rewriter : ExpressionRewriter
        The rewriter of expressions, from the script's dialect to the target.

    Attributes
    ----------
    lengths : list of Expression
        Conditions that replace a predeal of lengths or small cards, to be added to the script's condition.
    """

    def __init__(self, program: Program, rewriter: ExpressionRewriter) -> None:
        self.program, self.rewriter = program, rewriter
        self.source, self.target = rewriter.source, rewriter.target
        self._note, self._refuse = rewriter.note, rewriter.refuse
        self.lengths: list[nodes.Expression] = []

    def rewrite(self, node: nodes.Statement) -> nodes.Statement | None:
        """Return the statement for the target, or None if it is left out."""
        match node:
            case nodes.Setting():
                return self._rewrite_setting(node)
            case nodes.PredealHand():
                return self._rewrite_predeal_hand(node)
            case nodes.PredealLength():
                return self._rewrite_predeal_length(node)
            case nodes.PointTable():
                return self._rewrite_point_table(node)
            case nodes.Definition():
                value = self.rewriter.rewrite(node.value)
                self.rewriter.variables[node.name] = value
                return replace(node, name=self.rewriter.renamed[node.name], value=value.node)
            case nodes.Condition():
                self.rewriter.in_condition = True
                value = self.rewriter.rewrite(node.value)
                self.rewriter.in_condition = False
                return replace(node, value=value.node, bare=False)
            case nodes.Level():
                if not self.target.modern_syntax:
                    self._refuse("`level` (the option --level writes keep rates instead)", node)
                    return None
                return replace(node, types=tuple(self._rewrite_type(item) for item in node.types))
            case nodes.ActionList():
                return replace(node, actions=tuple(self._rewrite_action(action) for action in node.actions))
        return node

    def _rewrite_type(self, node: nodes.LevelType) -> nodes.LevelType:
        return replace(node, value=self.rewriter.rewrite(node.value).node)

    def _rewrite_setting(self, node: nodes.Setting) -> nodes.Setting | None:
        source, target = self.source, self.target
        if node.name in ("seed", "title", "opener", "startboard") and not target.extensions:
            instead = f"; start it with -s {node.value}" if node.name == "seed" else ""
            self._note(f"{target.name} has no statement `{node.name}`; it is left out{instead}", node)
            return None
        if node.name == "opener" and source.opener != target.opener:
            if source.opener:
                self._note(f"the statement `opener` has no effect in {target.name}; start it with -O", node)
            return None
        if node.name == "seed" and node.value == 0 and source.random_zero != target.random_zero:
            self._note("seed 0 means a new seed for each run in v2, but not in modern; it is left out", node)
            return None
        if isinstance(node.value, str):
            return replace(node, value=self._join_lines(node.value, node))
        if node.value > MAX_INTEGER[target.bits]:
            largest = format_count(MAX_INTEGER[target.bits])
            self._note(f"the largest number in {target.name} is {largest}, which replaces this one", node)
        return replace(node, value=min(node.value, MAX_INTEGER[target.bits]))

    def _join_lines(self, text: str, node: Any) -> str:
        """Return a text, on one line if the target requires it."""
        if "\n" not in text or not self.target.one_line_strings:
            return text
        self._note(f"a text has only one line in {self.target.name}; its lines are joined", node)
        return " ".join(text.split("\n"))

    def _rewrite_predeal_hand(self, node: nodes.PredealHand) -> nodes.PredealHand | nodes.PredealCards | None:
        """Return the named cards of a predealt hand; its small cards become conditions."""
        if self.target.modern_syntax:
            return node
        seat = SEATS[node.seat]
        predeal = Predeal.from_mapping({seat: node.text})
        if predeal.small:
            self._note(
                f"predealt small cards become a condition in {self.target.name}, which takes longer", node
            )
        # An x is a card below the ten, so the hand has no other honour of the suit.
        lengths = {(owner, suit): length for owner, suit, length in predeal.lengths}
        for owner, suit, _ in predeal.small:
            named = {rank for *place, rank in predeal.cards if place == [owner, suit]}
            self._add_length(node.seat, suit, lengths[owner, suit])
            for rank in range(len(RANKS) - 1, TEN - 1, -1):
                if rank not in named:
                    card = nodes.CardLiteral(suit, rank)
                    self.lengths.append(nodes.Not(nodes.Call("hascard", (nodes.Seat(node.seat), card))))
        if not predeal.cards:
            return None
        return nodes.PredealCards(node.seat, tuple(card[1:] for card in predeal.cards), place=node.place)

    def _add_length(self, seat: int, suit: int, length: int) -> None:
        """Add a condition on the length of a suit."""
        call = nodes.Call(SUITS[suit], (nodes.Seat(seat),))
        self.lengths.append(nodes.Chain((call, nodes.Number(length)), ("==",)))

    def _rewrite_predeal_length(self, node: nodes.PredealLength) -> nodes.PredealLength | None:
        if not self.source.predeal_lengths:
            return None
        target = self.target
        if target.predeal_lengths and (target.modern_syntax or not self.program.predeal.cards):
            return node
        self._note(f"a predeal of lengths becomes a condition in {target.name}, which takes longer", node)
        self._add_length(node.seat, node.suit, node.length)
        return None

    def _rewrite_point_table(self, node: nodes.PointTable) -> nodes.PointTable | None:
        # Find the functions that use the table, directly or through another one.
        target_tables = list_point_tables(self.target)
        table = "hcp" if node.number is None else list_point_tables(self.source)[node.number]
        functions = {
            get_function(part.function)
            for statement in self.program.script.statements
            for part in walk(statement)
            if isinstance(part, nodes.Call)
        }
        shared = self.source.shared_tables != self.target.shared_tables
        derived = [function.name for function in functions if table in function.shared_tables]
        if shared and derived:
            names = join_words(derived)
            self._refuse(f"{names} with a redefined table of {table}, which changes them in v1 only", node)
        # Leave out a table that the target does not have if no function uses it.
        if table not in target_tables and table != "hcp":
            if any(function.table == table for function in functions):
                self._refuse(f"a redefined table of {table}", node)
            return None
        scale = self.rewriter.table_scale(table)
        values = tuple(int(Decimal(repr(value)) * scale) if scale > 1 else value for value in node.values)
        return replace(node, number=None if table == "hcp" else target_tables.index(table), values=values)

    # ------------------------------------------------------------ actions
    def _rewrite_action(self, node: nodes.Action) -> nodes.Action:
        signature = ACTIONS[node.name]
        label = None if node.label is None else self._join_lines(node.label, node)
        node = replace(node, label=label)
        if node.name == "printside" and not self.target.extensions and node.arguments == (nodes.Side(1),):
            return replace(node, name="printew", arguments=())
        # Refuse actions that the target does not have, or does not have for these arguments.
        aborts = node.name == "evalcontract" and self.source.extensions
        lacks = not has_action(signature, self.target) or (aborts and not self.target.extensions)
        if lacks and node.name != "bktfreq":
            self._refuse(f"the action {node.name}", node)
        if node.name == "evalcontract" and isinstance(seat := node.arguments[0], nodes.Seat):
            if seat.index < 2 and not self.target.modern_syntax:
                self._refuse("evalcontract of north or east; its declarer is south or west", node)
            node = replace(node, arguments=(nodes.Side(seat.index & 1), *node.arguments[1:]))
        # Rewrite the arguments in the units of the target.
        values: list[Any] = [
            self.rewriter.rewrite(part) if isinstance(part, EXPRESSIONS) else part for part in node.arguments
        ]
        if node.name in ("frequency", "bktfreq"):
            return self._rewrite_frequency(node, values)
        return replace(
            node,
            arguments=tuple(argument for value in values for argument in self._rewrite_argument(node, value)),
        )

    def _rewrite_frequency(self, node: nodes.Action, values: list[Scaled]) -> nodes.Action:
        """Return a frequency if the values are whole numbers, otherwise one with buckets."""
        step = 3 if node.name == "frequency" else 4
        width = Scaled(nodes.Number(1))
        axes = [(values[k : k + step] + [width])[:4] for k in range(0, len(values), step)]
        natural = not self.target.hundredths and any(axis[0].real for axis in axes)
        if node.name == "frequency" and not natural:
            parts = [self.rewriter.unscale(part, node, "a frequency") for axis in axes for part in axis[:3]]
            return replace(node, arguments=tuple(parts))
        axes = [self.rewriter.unify_scales(axis) for axis in axes]
        if not self.target.extensions:
            if any(axis[3].literal != 1 for axis in axes):
                self._refuse("the action bktfreq", node)
            axes = [axis[:3] for axis in axes]
        name = "bktfreq" if self.target.extensions else "frequency"
        return replace(node, name=name, arguments=tuple(part.node for axis in axes for part in axis))

    def _rewrite_argument(self, node: nodes.Action, value: Any) -> Iterator[nodes.Argument]:
        """Yield the arguments for a value that an action prints or averages."""
        if isinstance(value, nodes.String) and self.target.one_line_strings and value.text != "\n":
            if node.name != "printes":
                yield replace(value, text=self._join_lines(value.text, node))
                return
            for k, line in enumerate(value.text.split("\n")):
                yield from [nodes.String("\n")] * (k > 0)
                yield from [nodes.String(line)] * bool(line)
        elif isinstance(value, Scaled):
            if value.scale != 1:
                times = f"{value.scale} times its value"
                unit = times if value.scale > 1 else "natural units, not hundredths"
                self._note(f"{node.name} shows `{to_text(value.node, self.target)}`, {unit}", node)
            yield value.node
        else:
            yield value


MAX_SHAPES = {"v1": 31, "v2": 16}  # largest number of calls of `shape` that the programs evaluate correctly
_Problem = tuple[str, nodes.Place | None]


def translate(script: Script, rules: Rules) -> tuple[str, tuple[str, ...]]:
    r"""Translate a script to another dialect.

    Parameters
    ----------
    script : Script
        The script; its script variables are replaced by their values.
    rules : Rules
        The rules of the dialect to translate to.

    Returns
    -------
    text : str
        A script whose condition the same deals meet, and whose actions count the same. Comments are above the
        statements that they belong to.
    warnings : tuple of str
        Differences in meaning, and definitions that are left out because they cannot be expressed and nothing
        uses them.

    Raises
    ------
    ScriptError
        The condition or an action cannot be expressed in the dialect, for which the message lists all
        reasons; or the script has a mistake.

    Notes
    -----
    Losers and points that the old programs count in hundredths are compared with hundredths; actions that
    show them show hundredths, with a warning. Shapes become terms of ``shape()`` if the other program does
    not have their notation. If a script has more shapes than the other program allows, the simplest become
    comparisons of lengths. Limits that a script does not set are those of the other program; dealer, for
    example, stops after 10,000,000 deals.

    Examples
    --------
    >>> from dealerkit.language import parse
    >>> from dealerkit.language.dialects import V1
    >>> text, warnings = translate(parse("condition shape{south, 5M(332)} and hcp(south) >= 11.5"), V1)
    >>> text
    'condition shape(south, any 5332 - xx5x - xxx5) and hcp(south) >= 12\n'
    """
    return _Translator(script, rules).translate()


def translate_statements(script: Script, rules: Rules) -> list[tuple[nodes.Place | None, str]]:
    """Return the place of each statement and its text in another dialect, "" if that cannot express it.

    Raises
    ------
    ScriptError
        The script has a mistake.

    Examples
    --------
    >>> from dealerkit.language import parse
    >>> from dealerkit.language.dialects import V1
    >>> [text for _, text in translate_statements(parse("condition ltc(south) > 2 action printns"), V1)]
    ['', '']
    """
    translator = _Translator(script, rules)
    lines = translator.list_lines()
    texts = []
    for line in lines:
        written = "" if line.problems or line.statement is None else to_text(line.statement, rules).strip()
        parts = [to_text(node, rules).strip() for node in line.new_definitions] + [written]
        texts.append((translator.script.statements[line.number].place, "\n".join(parts) if written else ""))
    return texts


@dataclass
class _Line:
    """A statement of the translation, None if it is left out, and the variables that it uses."""

    number: int  # index of the statement in the source; -1 if it is new
    statement: nodes.Statement | None
    problems: list[_Problem] = field(default_factory=list)
    uses: set[str] = field(default_factory=set)  # variables, by their names in the source
    new_definitions: list[nodes.Definition] = field(default_factory=list)


class _Translator:
    def __init__(self, script: Script, target: Rules) -> None:
        self.target = target
        self.source = ScriptSource(script.text, script.rules, script.file)
        program = check_script(script)
        self.script = script = _write_out(script, program)
        self.warnings = list(map(str, program.warnings))
        self.problems: list[_Problem] = []  # of the current statement
        self.rewriter = ExpressionRewriter(
            script.rules, target, program.points, self._rename_variables(), self._note, self._refuse
        )
        self.statements = StatementRewriter(program, self.rewriter)

    # ------------------------------------------------------------ messages
    def _note(self, message: str, node: Any) -> None:
        self.warnings.append(str(self.source.warning_at(message, node.place)))

    def _refuse(self, reason: str, node: Any) -> None:
        self.problems.append((reason, node.place))

    # ------------------------------------------------------------ translation
    def translate(self) -> tuple[str, tuple[str, ...]]:
        lines = self.list_lines()
        self._add_lengths(lines)
        self._drop_inexpressible(lines)
        return self._print(lines), tuple(self.warnings)

    def list_lines(self) -> list[_Line]:
        """Return the statements of the translation, with reasons for those that cannot be expressed."""
        statements = self.script.statements
        last = {type(statement): statement for statement in statements}
        self.rewriter.length_calls = self._choose_length_calls()
        lines = []
        for number, statement in enumerate(statements):
            kind = type(statement)
            is_replaced = kind in (nodes.Condition, nodes.ActionList) and last[kind] is not statement
            self.problems, self.rewriter.new_definitions = [], []
            rewritten = None if is_replaced else self.statements.rewrite(statement)
            uses = {node.name for node in walk(statement) if isinstance(node, nodes.Name)}
            lines.append(_Line(number, rewritten, self.problems, uses, self.rewriter.new_definitions))
        return lines

    def _rename_variables(self) -> dict[str, str]:
        """Return new names for variables whose names are keywords of the target."""
        definitions = [node for node in self.script.statements if isinstance(node, nodes.Definition)]
        names = {node.name: node.name for node in definitions}
        for node in definitions:
            new = node.name
            while not _is_free(new, self.target) or (new != node.name and new in names.values()):
                new += "_"
            if new != node.name:
                names[node.name] = new
                self._note(f"'{node.name}' is a keyword of {self.target.name}; it is renamed '{new}'", node)
        return names

    def _choose_length_calls(self) -> set[int]:
        """Return the ids of the simplest calls of `shape` if the script has too many for the target."""
        most = MAX_SHAPES.get(self.target.name)
        calls = [
            node
            for statement in self.script.statements
            for node in walk(statement)
            if isinstance(node, nodes.Call) and get_function(node.function).operation == "member"
        ]
        self.rewriter.n_tried = limit_search(call.arguments[1].patterns for call in calls)  # type: ignore[union-attr]
        if most is None or len(calls) <= most:
            return set()

        def count_comparisons(call: nodes.Call) -> int:
            terms = find_covering_terms(call.arguments[1].patterns, self.rewriter.n_tried)  # type: ignore[union-attr]
            return sum((24 if term.any else 1) * (4 - term.pattern.count("x")) for term in terms)

        # Choose the calls that need the fewest comparisons of lengths.
        self.warnings.append(
            f"{self.target.name} allows {most} shapes, not {len(calls)}; the simplest become lengths of suits"
        )
        return {id(call) for call in sorted(calls, key=count_comparisons)[: len(calls) - most]}

    def _drop_inexpressible(self, lines: list[_Line]) -> None:
        """Leave out definitions that the target cannot express; raise an error if the script needs one."""
        statements = self.script.statements
        names = {k: node.name for k, node in enumerate(statements) if isinstance(node, nodes.Definition)}
        # A variable cannot be expressed if its definition, or a variable in it, cannot.
        inexpressible: set[str] = set()
        for line in lines:
            if line.number in names and (line.problems or line.uses & inexpressible):
                inexpressible.add(names[line.number])
        # Leave out such a variable unless the rest of the script needs it.
        needed: set[str] = set()
        problems: list[_Problem] = []
        for line in reversed(lines):  # a definition comes before its uses
            name = names.get(line.number)
            if name is None or name in needed:
                needed |= line.uses if line.statement is not None else set()
                problems[:0] = line.problems
            elif name in inexpressible:
                reasons = ", ".join(reason for reason, _ in line.problems) or "a variable that it uses"
                message = f"{self.target.name} cannot express {reasons}; '{name}' is left out"
                self._note(message, statements[line.number])
                line.statement = None
        if problems:
            raise self._build_error(problems)

    def _build_error(self, problems: list[_Problem]) -> ScriptError:
        """Return the error that lists all problems, with the place of the first."""
        (first, place), *others = dict.fromkeys(problems)
        message = f"{self.target.name} cannot express {first}"
        for reason, there in others:
            message += f", nor {reason}" + (f" ({describe_place(there, place)})" if there else "")
        return self.source.error_at(message, place)

    def _print(self, lines: list[_Line]) -> str:
        """Return the text of the translation, with the comments of the script."""
        above, rest = collect_comments(self.script)
        text: list[str] = []
        for line in lines:
            text += above[line.number] if line.number >= 0 else []
            text += [to_text(node, self.target) for node in (*line.new_definitions, line.statement) if node]
        return "\n".join([*text, *rest]).strip("\n") + "\n"

    def _add_lengths(self, lines: list[_Line]) -> None:
        """Add the conditions that replace a predeal to the script's condition."""
        lengths = self.statements.lengths
        if not lengths:
            return
        for line in lines:
            if isinstance(line.statement, nodes.Condition):
                value = line.statement.value
                operands = value.operands if isinstance(value, nodes.And) else (value,)
                line.statement = replace(line.statement, value=nodes.And((*lengths, *operands)))
                return
        value = nodes.And(tuple(lengths)) if len(lengths) > 1 else lengths[0]
        lines.insert(0, _Line(-1, nodes.Condition(value)))


def _write_out(script: Script, program: Program) -> Script:
    """Return a script with each definition once, one action list, and a statement for a scenario's dealer."""
    statements: list[nodes.Statement] = []
    names: set[str] = set()
    joined = not script.rules.last_condition_wins  # whether the action lists are joined
    last = next((part for part in reversed(script.statements) if isinstance(part, nodes.ActionList)), None)
    # Keep the first of equal definitions, and the last action list, with all actions.
    for statement in script.statements:
        if isinstance(statement, nodes.ActionList) and joined:
            if statement is last:
                statements.append(replace(statement, actions=program.actions))
            continue
        if isinstance(statement, nodes.Definition):
            if statement.name in names:
                continue
            names.add(statement.name)
        statements.append(statement)
    # A scenario has its dealer in a comment, which other programs do not read.
    if program.dealer is not None and not any(
        isinstance(statement, nodes.Setting) and statement.name == "dealer" for statement in statements
    ):
        statements.insert(0, nodes.Setting("dealer", program.dealer))
    return replace(script, statements=tuple(statements))


def _is_free(word: str, rules: Rules) -> bool:
    """Return whether a variable may have this name."""
    return classify_word(word, rules)[0] == "NAME" or is_contextual(word, rules)


def collect_comments(script: Script) -> tuple[list[list[str]], list[str]]:
    r"""Return the comments of a script as lines that begin with ``#``, and its empty lines.

    Returns
    -------
    above : list of list of str
        For each statement, the comments above it, followed by those beside or inside it.
    rest : list of str
        The comments below the last statement.

    Examples
    --------
    >>> from dealerkit.language import parse
    >>> collect_comments(parse("/* a\n   study */\n\nproduce 5 // few\n# end"))
    ([['# a', '# study', '', '# few']], ['# end'])
    """
    above: list[list[str]] = [[] for _ in script.statements]
    rest: list[str] = []
    # Group the statements by their texts: the script, and the files that it includes.
    of_texts: dict[nodes.Origin, list[int]] = {}
    for number, statement in enumerate(script.statements):
        if statement.place and statement.place.origin:
            of_texts.setdefault(statement.place.origin, []).append(number)
    # Assign the comments of each text to its statements, in the order of their lines.
    for origin, numbers in of_texts.items():
        first_lines = {
            number: _first_line(script.statements[number], origin.text)
            for number in _omit_repeated(script, numbers)
        }
        numbers = sorted(first_lines, key=first_lines.__getitem__)  # a translation may have moved a statement
        lines = [first_lines[number] for number in numbers]
        of_statements, below = _assign_comments(origin.text, lines, script.rules)
        for number, comments in zip(numbers, of_statements, strict=True):
            above[number] = comments
        rest += below
    return above, rest


def _omit_repeated(script: Script, numbers: list[int]) -> list[int]:
    """Return the indices of a text's statements, once only if the file is included twice."""
    first = {script.statements[number].place: number for number in reversed(numbers)}
    return sorted(first.values())


def _first_line(statement: nodes.Statement, text: str) -> int:
    """Return the line, from 1, on which a statement begins; a predeal begins with its keyword."""
    line = statement.place.line  # type: ignore[union-attr]
    if isinstance(statement, nodes.PredealCards | nodes.PredealHand | nodes.PredealLength):
        before = "\n".join(text.split("\n")[: line - 1])
        while before.rstrip() != before.rstrip().removesuffix("predeal"):
            before = before.rstrip().removesuffix("predeal")
            line = before.count("\n") + 1
    return line


def _assign_comments(text: str, lines: Sequence[int], rules: Rules) -> tuple[list[list[str]], list[str]]:
    """Return the comments for each statement of a text, and the rest; `lines` has the statements' lines."""
    comments, comment_lines = _find_comments(text, rules)
    count = text.count("\n") + 1
    empty = {k for k, line in enumerate(text.split("\n"), 1) if not line.strip() and k not in comments}
    # The comments and empty lines directly before a statement are above it.
    ends = [*lines[1:], count + 1]
    leading: list[list[int]] = []
    for previous, line in zip([0, *lines], [*lines, count + 1], strict=True):
        begin = line if previous else 1
        while begin - 1 > previous and (begin - 1 in comment_lines or begin - 1 in empty):
            begin -= 1
        leading.append([k for k in range(begin, line) if k in comments or k in empty])
    # All other comments before the next statement are beside or inside it.
    above = {k for numbers in leading for k in numbers}
    of_statements = []
    for numbers, line, end in zip(leading, lines, ends, strict=False):
        inside = [k for k in range(line, end) if k in comments and k not in above]
        of_statements.append([part for k in (*numbers, *inside) for part in comments.get(k, [""])])
    return of_statements, [part for k in leading[-1] for part in comments.get(k, [""])]


def _find_comments(text: str, rules: Rules) -> tuple[dict[int, list[str]], set[int]]:
    """Return the comments by line, and the lines that contain nothing else."""
    # Match texts in quotes first, because they may contain the signs of comments.
    hashes = r"\#[^\n]*" if rules.comments_anywhere else r"^\#[^\n]*"
    string = r'"[^"\n]*["\n]' if rules.one_line_strings else '"[^"]*"'
    imports = "^Import,[^\n]*|" if rules.includes else ""
    comments: dict[int, list[str]] = {}
    comment_lines: set[int] = set()
    for match in re.finditer(rf"{imports}{string}|{hashes}|//[^\n]*|/\*(?s:.*?)\*/", text, re.MULTILINE):
        comment = match[0]
        if comment.startswith('"'):
            continue
        line = text.count("\n", 0, match.start()) + 1
        before = text[text.rfind("\n", 0, match.start()) + 1 : match.start()]
        after = text[match.end() :].partition("\n")[0]
        # Write each line of a comment as a line that begins with #.
        for k, part in enumerate(comment.split("\n"), line):
            comment_line = part if part.startswith("#") else "# " + part.strip(" /*\t\r")
            if rules.includes and comment_line.startswith("#include"):
                comment_line = "# " + comment_line[1:]  # the file has been read
            comments.setdefault(k, []).append(comment_line.rstrip())
            if not before.strip() and not after.strip():
                comment_lines.add(k)
    return comments, comment_lines
