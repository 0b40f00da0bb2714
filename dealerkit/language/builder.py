"""Build nodes from the parts of the grammar's rules, with one method for each rule."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from dealerkit import registry
from dealerkit.cards.names import RANKS, SEATS, SIDES, STRAIN_LETTERS, SUIT_LETTERS
from dealerkit.errors import ArgumentError, Remedy, UnknownNameError
from dealerkit.language import nodes
from dealerkit.language.arguments import ArgumentMismatch, match_arguments
from dealerkit.language.dialects import Rules
from dealerkit.language.shapes import combine_shapes, parse_pattern
from dealerkit.language.signatures import ACTIONS
from dealerkit.language.source import Token
from dealerkit.language.trees import build_tree
from dealerkit.language.vocabulary import SUIT_WORDS

Parts = list[Any]  # tokens, nodes and lists of nodes, in the order of the rule
Operands = tuple[list[nodes.Expression], list[str], Rules]  # operands, and the operators between them


_LARGEST = 2**63 - 1


def _read_numeral(token: Token, negative: bool = False) -> tuple[int | float, bool]:
    """Return the value of a number, negated if `negative`, and whether it has a decimal point.

    Raises
    ------
    ScriptError
        The number is too large for the integers or reals of the dialect.
    """
    rules = token.source.rules
    whole, point, fraction = token.text.partition(".")
    sign = -1 if negative else 1
    if rules.hundredths:
        value = _read_hundredths(token, whole, fraction) if point else _clamp(whole)
        return _wrap(sign * _wrap(value, rules.bits), rules.bits), bool(point)
    if point:
        real = sign * float(token.text)
        if real in (float("inf"), float("-inf")):
            raise token.error("this number is too large")
        return real, True
    value = _clamp(whole, _LARGEST + 2)
    if value > _LARGEST + negative:
        raise token.error(f"this number does not fit {rules.bits} bits")
    return sign * value, False


def _clamp(digits: str, largest: int = _LARGEST) -> int:
    """Return the integer, at most `largest` (as the function strtol of C does)."""
    digits = digits.lstrip("0")
    return min(int(digits or "0"), largest) if len(digits) <= 20 else largest


def _wrap(value: int, bits: int) -> int:
    """Return a value reduced to a signed integer of `bits` bits, as C does."""
    half = 1 << (bits - 1)
    return (value + half) % (2 * half) - half


def _read_hundredths(token: Token, whole: str, fraction: str) -> int:
    """Return 100 times a decimal number, rounded half up."""
    value = _clamp(whole) * 100 + int(fraction[:2].ljust(2, "0"))
    if len(fraction) > 2:
        value += fraction[2] >= "5"
        token.source.warn(f"{token.text[:40]} is rounded to hundredths", token.start)
    elif len(whole) > 2:
        token.source.warn(f"DealerV2 itself would read {token.text[:40]} as two numbers", token.start)
    return value


def _read_count(token: Token) -> int:
    """Return the value of a token that must be a whole number of 0 or more."""
    value, _ = _read_numeral(token)
    if not isinstance(value, int) or value < 0 or "." in token.text:
        raise token.error("a whole number is needed here")
    return value


def _literal(make_node: Callable[[str], nodes.Node]) -> Callable[[Builder, Parts], Any]:
    """Return the method for a rule of one token, which makes a node from the text of the token."""
    return lambda builder, parts: replace(make_node(parts[0].text), place=parts[0].place)


class Builder:
    """Methods that build nodes, one for each rule of the grammar; `parts` are the rule's tokens and nodes."""

    # Lists grow in place: the first part is the list so far, the last part its new element.
    def nothing(self, parts: Parts) -> list[Any]:
        return []

    def one(self, parts: Parts) -> list[Any]:
        return parts

    def another(self, parts: Parts) -> list[Any]:
        elements: list[Any] = parts[0]
        elements.append(parts[-1])
        return elements

    def start(self, parts: Parts) -> tuple[Any, ...]:
        statements: list[Any] = []
        for part in parts[0]:
            statements.extend(part if type(part) is list else (part,))
        return tuple(statements)

    # ------------------------------------------------------------ settings
    def count_setting(self, parts: Parts) -> nodes.Setting:
        return self._setting(parts, _read_count(parts[-1]))

    def seat_setting(self, parts: Parts) -> nodes.Setting:
        return self._setting(parts, SEATS.index(parts[-1].text))

    def title_setting(self, parts: Parts) -> nodes.Setting:
        return self._setting(parts, parts[-1].text)

    def vulnerable_setting(self, parts: Parts) -> nodes.Setting:
        word, source = parts[-1], parts[-1].source
        value = {"none": 0, "ns": 1, "ew": 2, "all": 3, "both": source.rules.vulnerable_both}[word.text]
        if word.text == "both" and value == 0:
            name = source.rules.name
            source.warn(f"`vulnerable both` means none in {name}", word.start, Remedy("vulnerable all"))
        return self._setting(parts, value)

    def _setting(self, parts: Parts, value: int | str) -> nodes.Setting:
        word, source = parts[0], parts[0].source
        if len(parts) == 3:
            if not source.rules.loose_settings:
                example = f'{word.text} "{value}"' if word.type == "TITLE" else f"{word.text} {parts[2].text}"
                raise parts[1].error(f"`{word.text}` takes its value without '=': {example}")
            source.warn(f"the '=' after `{word.text}` is ignored", parts[1].start)
        return nodes.Setting(word.text, value, place=word.place)

    def predeal(self, parts: Parts) -> list[Any]:
        items: list[Any] = parts[1]
        return items

    def predeal_cards(self, parts: Parts) -> nodes.PredealCards | nodes.PredealHand:
        holdings = [part.text for part in parts[1]]
        if any(holding.endswith(("x", "+")) for holding in holdings):
            return nodes.PredealHand(SEATS.index(parts[0].text), ", ".join(holdings), place=parts[0].place)
        cards = [(SUIT_LETTERS.index(suit), RANKS.index(rank)) for suit, *ranks in holdings for rank in ranks]
        return nodes.PredealCards(SEATS.index(parts[0].text), tuple(cards), place=parts[0].place)

    def predeal_hand(self, parts: Parts) -> nodes.PredealHand:
        return nodes.PredealHand(SEATS.index(parts[0].text), parts[1].text, place=parts[0].place)

    def predeal_length(self, parts: Parts) -> nodes.PredealLength:
        suit, _, seat, _, _, number = parts
        length = _read_count(number)
        if length > 13:
            raise number.error(f"a suit has at most 13 cards, not {length}")
        return nodes.PredealLength(SEATS.index(seat.text), SUIT_WORDS[suit.text], length, place=suit.place)

    def point_table(self, parts: Parts) -> nodes.PointTable:
        word, numbers = parts
        index = None
        if word.type == "ALTCOUNT":
            if not numbers:
                raise word.error("altcount takes the number of a table and its values")
            index, numbers = numbers[0], numbers[1:]
            if not isinstance(index.value, int) or index.decimal:
                raise word.source.error_at("altcount begins with the number of a table", index.place)
            index = index.value
        if len(numbers) > 13:
            message = f"too many values: {word.text} takes at most 13, from the ace down to the deuce"
            raise word.source.error_at(message, numbers[13].place)
        return nodes.PointTable(index, tuple(number.value for number in numbers), place=word.place)

    # ------------------------------------------------------------ condition, definitions, actions
    def condition(self, parts: Parts) -> nodes.Condition:
        return nodes.Condition(parts[1], place=parts[0].place)

    def bare_condition(self, parts: Parts) -> nodes.Condition:
        return nodes.Condition(parts[0], bare=True, place=parts[0].place)

    def level(self, parts: Parts) -> nodes.Level:
        return nodes.Level(tuple(parts[1]), place=parts[0].place)

    def level_type(self, parts: Parts) -> nodes.LevelType:
        label, value, *more = parts
        share = self.number(more[1:]) if more else None
        return nodes.LevelType(label.text, value, share, place=label.place)

    def definition(self, parts: Parts) -> nodes.Definition:
        return nodes.Definition(parts[0].text, parts[2], place=parts[0].place)

    def action_list(self, parts: Parts) -> nodes.ActionList:
        actions = parts[1] if len(parts) > 1 else ()
        return nodes.ActionList(tuple(actions), place=parts[0].place)

    def action(self, parts: Parts) -> nodes.Action:
        return nodes.Action(parts[0].text, (), place=parts[0].place)

    def action_with_value(self, parts: Parts) -> nodes.Action:
        return nodes.Action(parts[0].text, (parts[2],), place=parts[0].place)

    def average(self, parts: Parts) -> nodes.Action:
        label = parts[1].text if len(parts) == 3 else None
        if label is not None and not ACTIONS[parts[0].text].label:
            raise parts[1].error(f"`{parts[0].text}` takes no label; its expression comes directly after it")
        return nodes.Action(parts[0].text, (parts[-1],), label, place=parts[0].place)

    def action_call(self, parts: Parts) -> nodes.Action:
        word = parts[0]
        signature = ACTIONS[word.text]
        label = parts[1].text if parts[1].type == "STRING" else None
        if label is not None and not signature.label:
            raise parts[1].error(f"`{word.text}` takes no label; the parenthesis comes directly after it")
        arguments = parts[-2]
        kinds = signature.arguments
        if word.source.rules.modern_syntax and signature.modern_arguments:
            kinds = signature.modern_arguments
        if signature.more and len(arguments) > len(kinds):
            kinds += signature.more
        return nodes.Action(word.text, self._match_arguments(word, kinds, arguments), label, place=word.place)

    def _match_arguments(
        self, word: Token, kinds: tuple[str, ...], arguments: list[Any]
    ) -> tuple[nodes.Argument, ...]:
        try:
            return match_arguments(word.text, kinds, arguments, word.source.rules)
        except ArgumentMismatch as mismatch:
            if mismatch.position is None:
                raise word.error(mismatch.message, mismatch.remedy) from None
            place = arguments[mismatch.position].place
            raise word.source.error_at(mismatch.message, place, mismatch.remedy) from None

    # ------------------------------------------------------------ expressions
    def choice(self, parts: Parts) -> nodes.Choice:
        (conditions, values), otherwise = parts
        otherwise = build_tree(*otherwise) if type(otherwise) is tuple else otherwise
        if type(otherwise) is nodes.Choice:
            conditions, values = [*conditions, *otherwise.conditions], [*values, *otherwise.values]
            otherwise = otherwise.otherwise
        return nodes.Choice(tuple(conditions), tuple(values), otherwise, place=conditions[0].place)

    def branches(self, parts: Parts) -> tuple[list[Any], list[Any]]:
        conditions, values = parts[0] if len(parts) == 5 else ([], [])
        condition = parts[-4]
        conditions.append(build_tree(*condition) if type(condition) is tuple else condition)
        values.append(parts[-2])
        return conditions, values

    def chain_begin(self, parts: Parts) -> Operands:
        return [parts[0], parts[2]], [parts[1].text], parts[1].source.rules

    def chain_more(self, parts: Parts) -> Operands:
        chain: Operands = parts[0]
        chain[0].append(parts[2])
        chain[1].append(parts[1].text)
        return chain

    def tree(self, parts: Parts) -> nodes.Expression:
        return build_tree(*parts[0])

    def parentheses(self, parts: Parts) -> nodes.Expression:
        expression: nodes.Expression = parts[1]
        return expression

    def number(self, parts: Parts) -> nodes.Number:
        token, rules = parts[-1], parts[-1].source.rules
        if len(parts) == 2 and rules.is_classic and len(token.text) == 4 and token.text.isdigit():
            # The old programs read four digits as a shape or a number, and accept no minus before them.
            reason = f"in {rules.name} four digits cannot follow a minus"
            raise parts[0].error(reason, Remedy(f"0 - {token.text}"))
        value, decimal = _read_numeral(parts[-1], negative=len(parts) == 2)
        return nodes.Number(value, decimal, place=parts[0].place)

    name = _literal(nodes.Name)

    def not_(self, parts: Parts) -> nodes.Not:
        return nodes.Not(parts[1], place=parts[0].place)

    def negate(self, parts: Parts) -> nodes.Negate:
        minus = parts[0]
        if not minus.source.rules.negation:
            name = minus.source.rules.name
            raise minus.error(f"in {name} a minus can only precede a number", Remedy("0 -", "word"))
        return nodes.Negate(parts[1], place=minus.place)

    def call(self, parts: Parts) -> nodes.Call:
        word, _, arguments, _, *suffix = parts
        try:
            function = registry.get_function(word.text)
        except UnknownNameError as reason:
            raise word.error(str(reason)) from None
        output = suffix[0].text.removeprefix(".") if suffix else None
        if output is None and function.outputs:
            output = function.outputs[0]
        elif output is not None and output not in function.outputs:
            outputs = ", ".join(function.outputs) or "one value without a name"
            raise suffix[0].error(f"{function.name} has no output {output!r}; it has {outputs}")
        matched = self._match_arguments(word, function.arguments, arguments)
        return nodes.Call(function.name, matched, output, place=word.place)

    def item(self, parts: Parts) -> nodes.Call:
        function = registry.get_function(parts[0].text)
        matched = self._match_arguments(parts[0], function.arguments, [])
        return nodes.Call(function.name, matched, place=parts[0].place)

    # ------------------------------------------------------------ arguments
    def arguments(self, parts: Parts) -> list[Any]:
        listed: list[Any] = parts[0]
        return listed

    seat = _literal(lambda text: nodes.Seat(SEATS.index(text)))
    suit = _literal(lambda text: nodes.Suit(SUIT_WORDS[text]))
    strain = _literal(lambda text: nodes.Strain(4))
    side = _literal(lambda text: nodes.Side(SIDES.index(text)))
    vulnerability = _literal(lambda text: nodes.Vulnerability("both" if text == "all" else text))
    card = _literal(lambda text: nodes.CardLiteral(SUIT_LETTERS.index(text[1]), RANKS.index(text[0])))
    string = _literal(nodes.String)
    whole_deal = _literal(lambda text: nodes.WholeDeal())

    def contract(self, parts: Parts) -> nodes.ContractLiteral:
        level, letter, doubled = re.fullmatch("[xz]?([1-7])([CDHSN])T?(x*)", parts[0].text).groups()  # type: ignore[union-attr]
        strain = STRAIN_LETTERS.index(letter)
        return nodes.ContractLiteral(int(level), strain, len(doubled), place=parts[0].place)

    # ------------------------------------------------------------ shapes
    def shape(self, parts: Parts) -> nodes.Call:
        word, _, seat, _, terms, _ = parts
        patterns = combine_shapes((term.sign, shapes) for term, shapes in terms)
        shape_list = nodes.ShapeList(tuple(term for term, _ in terms), patterns, place=parts[3].place)
        return nodes.Call("shape", (self.seat([seat]), shape_list), place=word.place)

    def shape_term(self, parts: Parts) -> tuple[nodes.ShapeTerm, int]:
        pattern = parts[-1]
        sign = "-" if parts[0].type == "MINUS" else "+"
        any_order = len(parts) > 1 and parts[-2].type == "ANY"
        try:
            shapes = parse_pattern(pattern.text, any_order)
        except ArgumentError as reason:
            raise pattern.error(str(reason)) from None
        return nodes.ShapeTerm(sign, any_order, pattern.text), shapes

    def brace_shape(self, parts: Parts) -> nodes.Call:
        from dealerkit.language.brace_shapes import ShapeTextError, parse_brace_shapes  # few scripts have one

        word, brace = parts
        source = word.source
        match = re.match(r"\s*([A-Za-z]*)\s*(,?)", brace.text)
        seat, comma = match.groups()  # type: ignore[union-attr]
        if seat not in SEATS or not comma:
            raise brace.error("shape{} begins with a seat and a comma: shape{north, 5xxx}")
        begin = match.end()  # type: ignore[union-attr]
        try:
            patterns = parse_brace_shapes(brace.text[begin:], source.rules.modern_syntax)
        except ShapeTextError as reason:
            raise source.error(reason.message, source.brace_offset(brace, begin + reason.offset)) from None
        text = " ".join(brace.text[begin:].split())
        shapes = nodes.BraceShapes(text, patterns, place=brace.place)
        hand = nodes.Seat(SEATS.index(seat), place=brace.place)
        return nodes.Call("shape", (hand, shapes), place=word.place)
