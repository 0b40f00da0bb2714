"""Statements and actions of one dialect rewritten for another."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from typing import Any

from dealerkit.appearance.wording import join_words
from dealerkit.cards.names import SUITS
from dealerkit.language import nodes
from dealerkit.language.arguments import EXPRESSIONS
from dealerkit.language.checks import Program, list_point_tables
from dealerkit.language.printer import to_text
from dealerkit.language.signatures import ACTIONS
from dealerkit.language.trees import walk
from dealerkit.language.vocabulary import has_action
from dealerkit.registry import get_function
from dealerkit.translate.arithmetic import Scaled
from dealerkit.translate.expressions import MAX_INTEGER, ExpressionRewriter


class StatementRewriter:
    """A rewriter of statements, in the order of the script.

    Parameters
    ----------
    program : Program
        The content of the script.
    rewriter : ExpressionRewriter
        Of expressions, from the script's rules to those of the target.

    Attributes
    ----------
    lengths : list of Expression
        Comparisons that replace a predeal of lengths, to be added to the condition.
    """

    def __init__(self, program: Program, rewriter: ExpressionRewriter) -> None:
        self.program, self.rewriter = program, rewriter
        self.source, self.target = rewriter.source, rewriter.target
        self._note, self._refuse = rewriter.note, rewriter.refuse
        self.lengths: list[nodes.Expression] = []

    def rewrite(self, node: nodes.Statement) -> nodes.Statement | None:
        """Return the statement for the target, or None where it is left out."""
        match node:
            case nodes.Setting():
                return self._rewrite_setting(node)
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
                    self._refuse("`level` (the option --level writes keep rates in its place)", node)
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
            self._note("seed 0 is a new seed for each run in v2, not in modern; it is left out", node)
            return None
        if isinstance(node.value, str):
            return replace(node, value=self._join_lines(node.value, node))
        if node.value > MAX_INTEGER[target.bits]:
            self._note(f"{target.name} counts to {MAX_INTEGER[target.bits]:,} only", node)
        return replace(node, value=min(node.value, MAX_INTEGER[target.bits]))

    def _join_lines(self, text: str, node: Any) -> str:
        """Return a text on one line where the target requires it."""
        if "\n" not in text or not self.target.one_line_strings:
            return text
        self._note(f"a text is on one line in {self.target.name}; its lines are joined", node)
        return " ".join(text.split("\n"))

    def _rewrite_predeal_length(self, node: nodes.PredealLength) -> nodes.PredealLength | None:
        if not self.source.predeal_lengths:
            return None
        target = self.target
        if target.predeal_lengths and (target.modern_syntax or not self.program.predeal.cards):
            return node
        self._note(f"a predeal of lengths becomes a condition in {target.name}, which takes longer", node)
        length = nodes.Call(SUITS[node.suit], (nodes.Seat(node.seat),))
        self.lengths.append(nodes.Chain((length, nodes.Number(node.length)), ("==",)))
        return None

    def _rewrite_point_table(self, node: nodes.PointTable) -> nodes.PointTable | None:
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
            self._refuse(f"{names} beside another table of {table}, which changes them in v1 only", node)
        if table not in target_tables and table != "hcp":
            if any(function.table == table for function in functions):
                self._refuse(f"another table of {table}", node)
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
        aborts = node.name == "evalcontract" and self.source.extensions
        lacks = not has_action(signature, self.target) or (aborts and not self.target.extensions)
        if lacks and node.name != "bktfreq":
            self._refuse(f"the action {node.name}", node)
        if node.name == "evalcontract" and isinstance(seat := node.arguments[0], nodes.Seat):
            if seat.index < 2 and not self.target.modern_syntax:
                self._refuse("evalcontract of north or east; its declarer is south or west", node)
            node = replace(node, arguments=(nodes.Side(seat.index & 1), *node.arguments[1:]))
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
        """Return a frequency if the values are whole numbers, else one with buckets."""
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
        """Yield the arguments for a value that an action prints or takes the mean of."""
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
