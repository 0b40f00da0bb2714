"""Notations of other programs, of programming languages and of plain English, and what to write instead.

Each row of `NOTATIONS` has a pattern, the reason why it is a mistake, and the text to write instead. In a
pattern, a name in braces is a group of `corrections.PARTS`, and ``~`` means any number of blanks; in a
remedy, a name in braces is replaced by the text of the group. The table only explains mistakes that the
parser and the checks have found; it never decides whether there is one.
"""

from __future__ import annotations

import functools
import html
import itertools
import re
from collections.abc import Callable
from typing import NamedTuple

from dealerkit.errors import Remedy, ScriptError
from dealerkit.language import corrections
from dealerkit.language.corrections import Match
from dealerkit.language.dialects import Rules
from dealerkit.language.grammar import find_first_error
from dealerkit.language.signatures import ACTIONS
from dealerkit.language.source import ScriptSource
from dealerkit.language.tokenizer import tokenize

MAX_LINE = 300  # characters of the longest line that is searched for notations
MAX_REMEDY = 120  # characters of the longest corrected line that is shown as a whole
MAX_STEPS = 4  # number of mistakes in a line that are corrected one after the other


class _Notation(NamedTuple):
    """A notation: its pattern, the reason why it is a mistake, and the remedy.

    The remedy is a text, or a function of the match and the rules. The place of the mistake is that of the
    group ``at`` if there is one.
    """

    pattern: str
    reason: str
    remedy: str | Callable[[Match, Rules], str]


_ANY_SIGN = r"(?:\b(?:is|in|between|from)\b~|==?~|>=~|:~)?"
_TO = r"(?:-|–|—|\.\.\.?|to|bis)"
_WHO = (
    "dealer|opener|declarer|dummy|leader|partner|responder|overcaller|player|me|you|hand|seat|lho|rho|someone"
)
_STRAIN_OR_SIDE = r"(?:NS|EW|north|east|south|west|[1-7](?:NT?|[CDHS])|(?:spade|heart|diamond|club)s?)"
_SHAPE_LIST = r"[\dxX()\[\] ,|+/&-]*(?:\b(?:any|or|and)\b[\dxX()\[\] ,|+/&-]*)*"
_SHAPE_END = r"~\)(?=~$|~\)|\s+(?:and|or)\b)"

_OPERAND_ENDS = ("NAME", "NUMBER", "RPAR")
_OPERAND_BEGINNINGS = ("NAME", "NUMBER", "FUNCTION", "SUIT", "SHAPE")

NOTATIONS = (
    # ------------------------------------------------------------ comments, HTML, quotes
    _Notation(r"^\s*(?:--+\s|REM\b|;(?=\s*[A-Za-z])|%|'|<!--|\(\*)\s*(?P<text>.*?)\s*(?:-->|\*\))?\s*$",
              "a comment begins with //", "// {text}"),
    _Notation(r"\s+(?P<at>(?:--+|;|REM\b)\s+|#+\s*)(?P<text>[^\"=]*)$", "a comment begins with //",
              corrections.write_comment),
    _Notation(r"^~title~\"(?P<text>[^\"]*)\"~$", "this dialect has no titles, only comments",
              lambda match, rules: "" if rules.extensions else f"// title: {match['text']}"),
    _Notation(r"^.*?(?P<at>&(?:gt|lt|amp|quot|nbsp|ge|le|ne|apos|#\d+);).*$",
              "'{at}' is the code for a sign in HTML",
              lambda match, rules: html.unescape(match[0]).translate(corrections.HTML_SIGNS)),
    _Notation(r"^\s*[\"'`“„](?P<rest>[^\"'`“”„]*\([^\"'`“”„]*)[\"'`“”]\s*$",
              "a condition takes no quotes", "{rest}"),
    _Notation(r"{sign}~[\"'“]{n}[\"'”]", "a number takes no quotes", "{sign} {n}"),
    _Notation(r"[“”„«»](?P<text>[^“”„«»\"]*)[“”„«»]", "a text takes straight double quotes", '"{text}"'),
    _Notation(r"(?<!\w)'(?P<text>[^'\"]*)'(?!\w)", "a text takes double quotes", '"{text}"'),
    # ------------------------------------------------------------ settings
    _Notation(r"\b(?P<word>produce|generate)~[:=]?~(?P<at>(?P<n>\d+(?:\.\d+)?)~(?:e(?P<power>\d)|(?P<unit>"
              r"k|thousand|m|mio|million)))\b(?: \w+)?~$",
              "a number is written in digits only", corrections.write_count),
    _Notation(r"\b(?P<word>produce|generate)~[:=]?~{n}\s+[a-z]+~;?~$",
              "a number of deals takes no unit", "{word} {n}"),
    _Notation(r"^~(?:deals?|number|boards?|simulate|count|num|hands)~[:=]?~{n}(?: \w+)?~$",
              "`produce` sets the number of deals", "produce {n}"),
    _Notation(r"^~dealer~(?:\(|:|=|is\b)~{seat}~\)?",
              "`dealer` takes a seat without a sign", "dealer {seat}"),
    _Notation(r"^~(?P<at>vul|vulnerability|vulnerable|vuln)~(?:[:=]|is\b)?~(?P<who>both|all|none|nobody"
              r"|no one|no|neither|"
              r"love all|game all|NS|EW|N-S|E-W|N/S|E/W)(?: (?:sides?|vul))?~$",
              "`vulnerable` takes none, NS, EW or all", corrections.write_vulnerability),
    _Notation(r"^~(?:vul\w*)~(?:NS|EW)\W+(?:and )?(?:NS|EW)~$", "`all` means both sides", "vulnerable all"),
    _Notation(r"^~title~(?P<text>[^\"'=]+?)~$", "a title is a text in quotes", 'title "{text}"'),
    _Notation(r"^~pointcount~\(?(?P<values>\d+(?:[ ,]+\d+)*)~\)?~$",
              "values are separated by blanks",
              lambda match, rules: f"pointcount {' '.join(re.findall('[0-9]+', match['values']))}"),
    _Notation(r"^~seed~=?~(?:random|none|auto|time)\b",
              "without `seed` each run has a random seed; delete this line", ""),
    _Notation(r"^~(?P<word>import|from|using|library)\s.*$",
              "all functions are known without `{word}`; delete this line", ""),
    _Notation(r"\b(?P<word>produce|generate|seed)~(?P<at>\d{1,3}(?:[,'._]\d{3})+)~$",
              "a number is written in digits only",
              lambda match, rules: f"{match['word']} {re.sub('[^0-9]', '', match['at'])}"),
    _Notation(r"\bdealer~(?P<at>[NESW])~$", "`dealer` takes a seat", corrections.name_dealer),
    _Notation(r"^~(?P<at>include|import)~{label}",
              "a file is included with #include at the beginning of a line",
              lambda match, rules: f"#include {match['label']}" if rules.includes else ""),
    _Notation(r"{value}~(?P<sign>[<>]=?)~(?P<at>\d*\.\d+)",
              "this dialect has no numbers with a decimal point", corrections.write_integer),
    _Notation(r"\b(?P<word>produce|generate|seed)~(?P<at>:)~{n}", "`{word}` takes its value without a sign",
              "{word} {n}"),
    _Notation(r"{sign}~(?P<at>{low},{high})~$", "a decimal number takes a point, not a comma",
              corrections.write_decimal),
    # ------------------------------------------------------------ predeal
    _Notation(r"\bpredeal {suit}~\(~{seat}~\)~(?P<sign>[<>]=?|!=)~{n}",
              "`predeal` takes an exact length; a bound is a condition",
              "condition {suit}({seat}) {sign} {n}"),
    _Notation(r"\bpredeal {suit}~\(~{seat}~(?:\)~=|,)~{n}~\)?",
              "the length of a suit is given with ==", "predeal {suit}({seat}) == {n}"),
    _Notation(r"\bpredeal {owner}~(?P<at>{suit}~\(~{seat}~\))",
              "`predeal` with a length takes no seat before the suit", "predeal {at}"),
    _Notation(r"\bpredeal {owner} (?P<at>(?:the )?(?P<rank>ace|king|queen|jack|ten|[AKQJT2-9]) of {suit})",
              "a holding is the letter of its suit and the ranks", corrections.write_card_holding),
    _Notation(r"\bpredeal {seat}~:?~{suit}~={0,2}~{n}",
              "the length of a suit is given with ==", "predeal {suit}({seat}) == {n}"),
    _Notation(r"\bpredeal {seat}~:?~hcp~={0,2}~{n}",
              "`predeal` takes cards and lengths; points are a condition", "condition hcp({seat}) == {n}"),
    _Notation(r"\bpredeal~{owner}~(?P<at>[\"'])(?P<cards>(?-i:[CDHS][AKQJTx\d]+~,)[^\"']*)[\"']",
              "cards take no quotes", "predeal {owner} {cards}"),
    _Notation(r"\bpredeal {owner} (?P<at>{suit})~:?~(?P<cards>(?-i:[AKQJTx\d]+))~$",
              "a holding is the letter of its suit and the ranks", corrections.write_suit_holding),
    _Notation(r"(?P<before>\bpredeal\b.*?[AKQJTx\d])~(?P<at>,)~{seat}",
              "hands are separated by blanks", "{before} {seat}"),
    _Notation(r"\bpredeal~(?P<owner>(?-i:[NESW]))\s+(?P<cards>(?-i:[CDHS][AKQJTx\d]+))~$",
              "seats are written out in English", corrections.write_holding),
    _Notation(r"\bpredeal~{owner}~(?P<at>[:=]+)~(?P<cards>(?-i:[CDHSAKQJTx\d]+))~$",
              "the cards follow the seat without a sign", corrections.write_holding),
    _Notation(r"\bpredeal~{owner}~(?P<cards>(?-i:[CDHS][AKQJTx\d]*10[AKQJTx\d]*))~$",
              "the ten is written T", corrections.write_holding),
    _Notation(r"\bpredeal~{owner}~(?P<cards>(?-i:[cdhs][akqjtx\d]+))~$",
              "cards are written in capitals", corrections.write_holding),
    _Notation(r"\bpredeal~{owner}~(?P<cards>(?-i:[CDHS][AKQJT\d]+))~$",
              "the ranks of a holding go from the ace down, each once", corrections.write_holding),
    _Notation(r"\bpredeal~{owner}~(?P<cards>(?-i:[AKQJT\d]{1,2}[CDHS]))~$",
              "in a holding the suit comes first", corrections.write_holding),
    _Notation(r"\bpredeal~\(?~{owner}~[:=,]*~\"?(?P<cards>(?-i:[CDHSAKQJTx\d]+(?:[ :][AKQJTx\d]+)*))\"?"
              r"~\)?~$",
              "`predeal` takes a seat and holdings, each a suit and its ranks", corrections.write_holding),
    _Notation(r"\bpredeal~(?P<cards>(?-i:[CDHS][AKQJTx\d]+))[ ,]+(?:to\s+)?{owner}",
              "`predeal` takes the seat first", corrections.write_holding),
    _Notation(r"(?-i:\b(?P<cards>[CDHS][AKQJTx\d]*10[AKQJTx\d]*)\b)",
              "the ten is written T", lambda match, rules: match["cards"].replace("10", "T")),
    _Notation(r"(?-i:\b(?P<cards>[CDHS][AKQJTx\d]+)\s+(?P<at>[CDHS][AKQJTx\d]+))",
              "holdings are separated by commas", "{cards},{at}"),
    _Notation(r"^~{owner} (?P<cards>(?-i:[CDHS][AKQJTx\d]+))~$",
              "cards are given to a hand with `predeal`", corrections.write_holding),
    # ------------------------------------------------------------ shapes
    _Notation(r"\bshape\s*[(\[]~(?P<shapes>[\dx]{4})~,~{seat}~[)\]]",
              "`shape` takes the seat first", corrections.write_shape),
    _Notation(r"\bshape~\(~{seat}~\)~(?:(?:==?|in|is|:)~\(?|(?=any|\d))(?P<shapes>[\w-]+(?: [\dx]{4})?)\)?",
              "the shapes follow the seat", corrections.write_shape),
    _Notation(r"\bshape {seat}~,?~(?P<shapes>(?:any )?[\dx(][\dx() +,-]*)",
              "`shape` takes its arguments in parentheses", corrections.write_shape),
    _Notation(rf"\bshape~\(~{{seat}}~,~(?P<shapes>(?P<at>not\b|!).*?){_SHAPE_END}",
              "`not` is written before `shape`", corrections.write_shape),
    _Notation(r"\bshape~\(~{seat}~,~{suit}~{sign}~{n}~\)",
              "a suit's length is a function of its own", "{suit}({seat}) {sign} {n}"),
    _Notation(rf"\bshape~\(~{{seat}}~,~(?P<shapes>[\d(xX]+[-+]?[\dMmcdhs()+x]*){_SHAPE_END}",
              "a shape in parentheses has four lengths; groups, letters and signs need braces",
              corrections.write_brace_shape),
    _Notation(rf"\bshape~\(~{{seat}}~,~(?P<shapes>(?-i:[\dx]*X[\dxX]*)){_SHAPE_END}",
              "a suit of any length is written as a small x", corrections.write_shape),
    _Notation(rf"\bshape~\(~{{seat}}~,~(?P<shapes>[\dx]+){_SHAPE_END}",
              "a shape has four lengths, one for each suit", corrections.write_shape),
    _Notation(rf"\bshape~\(~{{seat}}~,~(?P<shapes>(?:any\s+)?[\dx](?:~[-=,./]~[\dx]){{3}}){_SHAPE_END}",
              "a shape is written without signs, spades first; `any` before it allows every order",
              corrections.write_shape),
    _Notation(rf"\bshape~\(~{{seat}}~,~(?P<shapes>{_SHAPE_LIST}){_SHAPE_END}",
              "shapes are joined with +, each of four lengths without signs", corrections.write_shape),
    _Notation(r"\bshape~\(~(?P<at>(?:any )?[\dx]{4})~\)", "`shape` takes the seat first",
              "shape(north, {at})"),
    _Notation(r"\bshape~\(~{seat}~(?P<at>\))", "`shape` takes a seat and shapes", "shape({seat}, 5xxx)"),
    _Notation(rf"\bshape~\(~{{seat}}~,~(?P<shapes>(?P<at>\d[Mm])[MmxX]*){_SHAPE_END}",
              "{at} is not a shape here; letters and signs need braces, with an x for each other suit",
              "shape{{seat}, {at}xxx}"),
    _Notation(rf"\bshape~\(~{{seat}}~,~(?P<cards>(?-i:[SHDC]?[AKQJTx]+)){_SHAPE_END}",
              "a shape consists of numbers of cards, not of cards", corrections.write_suit_with_cards),
    _Notation(rf"\bshape~\(~{{seat}}~,~(?P<at>any(?P<shapes>[\dx]{{4}})){_SHAPE_END}",
              "after `any` come a blank and a shape", "shape({seat}, any {shapes})"),
    _Notation(rf"\bshape~\(~{{seat}}~,~(?P<shapes>(?P<at>[a-z_]+)){_SHAPE_END}",
              "'{at}' is not a shape", corrections.write_shape),
    _Notation(r"\bshape~\(~{seat}\s+(?P<at>any\s+[\dx]{4})", "a comma is missing", "shape({seat}, {at}"),
    _Notation(r"\bshape~\[~{seat}~,~(?P<shapes>[^\]]*)~\]",
              "`shape` takes its arguments in parentheses", corrections.write_shape),
    # ------------------------------------------------------------ cards
    _Notation(r"\b(?:hascards?|has|holds)~\(~{seat}~,~(?P<cards>[^()]*?)~\)",
              "`hascard` takes one card, its rank first", corrections.write_hascard),
    _Notation(r"\bhascard~\(~(?P<cards>[^(),]*)~(?:,~{seat}~)?\)",
              "`hascard` takes the seat first", corrections.write_hascard),
    _Notation(r"\b{seat}\s+(?:has|holds)\s+(?:the\s+)?(?P<cards>{card}|\w+\s+of\s+\w+)",
              "`hascard` tests for a card", corrections.write_hascard),
    _Notation(r"\b(?P<cards>{card})\s+in\s+{seat}",
              "`hascard` tests for a card", corrections.write_hascard),
    # ------------------------------------------------------------ actions
    _Notation(r"\b(?:histogram|hist|freq|frequency|distribution)\b~(?:{label}~,?)?~\(?~{value}"
              r"(?:~,?~(?:from )?{low}~(?:[-,–]|\.\.|to|\s)~{high})?~\)?~$",
              "`frequency` takes an expression and its range in parentheses", corrections.write_frequency),
    _Notation(r"\baverage~(?:{label}~)?\(~{value}~,~{low}~,~{high}~\)",
              "`average` has no range; `frequency` has one", corrections.write_frequency),
    _Notation(r"\baverage~\(~{value}~,~{other}~\)",
              "each average needs an action of its own", "average {value}, average {other}"),
    _Notation(rf"^(?P<before>~action\b.*?)~(?P<at>;)~(?P<word>{'|'.join(ACTIONS)})\b",
              "actions are separated by commas", "{before}, {word}"),
    _Notation(rf"\s+(?P<at>and)\s+(?P<word>{'|'.join(ACTIONS)})\b", "actions are separated by commas",
              ", {word}"),
    _Notation(r"\b(?:average|mean|avg)~\(?~{value}~,?~{label}~\)?",
              "the label comes before the expression", "average {label} {value}"),
    _Notation(r"\b(?P<word>average|frequency)~{label}~(?P<at>[=:,])~(?=[\w(])",
              "the expression follows the label without a sign", "{word} {label} "),
    _Notation(r"\baverage~\(~{label}~,~{value}~\)",
              "the label comes before the expression, without a comma", "average {label} {value}"),
    _Notation(r"\b(?P<at>mean|avg|ave|moyenne|mittelwert)\b~(?=[\"\w])", "the action is `average`",
              "average "),
    _Notation(r"\b(?:count|share|percentage|percent|probability|prob)~\(~{rest}~\)$",
              "`average` of a condition is the share of deals that meet it", "average {rest}"),
    _Notation(r"(?<!action )(?<=[^\s,] )print~$",
              "actions are written after the word `action`", "action printall"),
    _Notation(r"\bprint~\(~(?P<at>all|deals?|hands?|everything)~\)",
              "the action that prints all hands is `printall`", "printall"),
    _Notation(r"\b(?P<word>csvrpt|printrpt|printes)\s+(?P<at>[\"a-z][^;]*?)~$",
              "`{word}` takes its arguments in parentheses", "{word}({at})"),
    _Notation(r"\b(?:print all|printhands|printdeals|showall|show|display|print)~$",
              "the action that prints all hands is `printall`", "printall"),
    _Notation(r"^~(?P<word>print(?:all|ew|ns|pbn|oneline|compact))~\(~\)",
              "actions are written after the word `action`", "action {word}"),
    _Notation(r"\b(?P<word>print(?:all|ew|ns|pbn|oneline|compact))~\([^()]*\)",
              "`{word}` takes no parentheses", "{word}"),
    _Notation(r"\bprint~\(?~(?P<hands>(?:NS|EW|{owner}(?:~[, ]~(?:north|east|south|west|[NESW])\b)*))"
              r"~\)?",
              "`print` takes seats in parentheses", corrections.write_print),
    _Notation(rf"^~(?P<at>(?:{'|'.join(ACTIONS)})\b[^/]*)(?://.*)?$",
              "actions are written after the word `action`", "action {at}"),
    _Notation(r"\b(?P<word>print\w+)~(?P<at>{label})~$", "`{word}` takes its arguments in parentheses",
              "{word}({at})"),
    _Notation(r"\b(?:pbn|printpbns|writepbn)\b(?:~\([^()]*\))?", "the action is `printpbn`", "printpbn"),
    _Notation(r"\bcsv~\(", "the action is `csvrpt`",
              lambda match, rules: "csvrpt(" if rules.extensions else ""),
    # ------------------------------------------------------------ functions
    _Notation(r"\b(?P<who>any|all)~\({inner}\)~{sign}~{n}",
              "each value needs its own comparison", corrections.compare_each),
    _Notation(r"\bsum~\({inner}\)", "values are added with +", corrections.add_values),
    _Notation(r"\babs~\({inner}\)", "there is no function abs", corrections.write_abs),
    _Notation(r"\b(?P<word>round|int|floor|float)~\({inner}\)",
              "there is no function {word}; compare the value itself", "{inner}"),
    _Notation(r"\b(?:random|rand|rnd)~\(~\)~(?P<sign><=?)~0?\.(?P<n>\d\d?)(?!\d)",
              "rnd takes the number of its values: rnd(100) is 0 to 99",
              lambda match, rules: f"rnd(100) {match['sign']} {int(match['n'].ljust(2, '0'))}"),
    _Notation(r"\b(?:random|rand|rnd)~\(~(?:[01]~,~(?P<n>\d+)~)?\)",
              "rnd takes the number of its values: rnd(100) is 0 to 99",
              lambda match, rules: f"rnd({match['n'] or 100})"),
    _Notation(r"^~(?:keep {n}~%|{low}~% keep)~$",
              "rnd keeps a share of the deals",
              lambda match, rules: f"rnd(100) < {match['n'] or match['low']}"),
    _Notation(r"\bscore~\(~(?:(?P<whose>vul|nv|NS|EW)~,)?~x?(?P<level>[1-7])~"
              r"(?P<strain>NT?|[CDHS]|no ?trumps?|{suit})~,{inner}\)",
              "`score` takes nv or vul, a contract and the tricks", corrections.write_score),
    _Notation(rf"\b(?P<function>dds|tricks)~\(~(?P<inner>{_STRAIN_OR_SIDE}(?:~,~{_STRAIN_OR_SIDE})?)~\)",
              "`{function}` takes a declarer and a suit or notrump", corrections.write_tricks),
    _Notation(r"{function}~\(~{suit}~,~{seat}~\)", "the seat comes first", "{function}({seat}, {suit})"),
    _Notation(r"\bimps~\(~{value}~(?P<at>,)~{other}~\)", "`imps` takes the difference of two scores",
              "imps({value} - {other})"),
    _Notation(r"{function}~\(~{seat}~,~(?P<at>all|any|every|total|suits?|all suits)~\)",
              "without a suit, the function counts the whole hand", "{function}({seat})"),
    _Notation(r"{function}~\(~{seat}~,~{suit}~(?:[,+&/]|and)~{also}~\)",
              "`{function}` takes one suit", "{function}({seat}, {suit}) + {function}({seat}, {also})"),
    _Notation(r"\b(?:high[- ]?card[- ]?)?(?:points|pts|punkte)~(?=\()", "high-card points are hcp", "hcp"),
    # ------------------------------------------------------------ hand types
    _Notation(r"^~level\b.*?(?P<at>\d+(?:\.\d+)?~%).*$",
              "a share is a number, written after the word share",
              lambda match, rules: re.sub(r"(?:\bshare\s+)?(\d+(?:\.\d+)?)\s*%", r"share \1", match[0])),
    _Notation(r"(?P<at>\bshare)\b~(?:-|\"|[a-z]|{n}~[/*%])",
              "a share is a number above 0, not a percentage or calculation, as in share 2 or share 0.5", ""),
    _Notation(r"\bshare~(?P<at>=+)~{n}", "the share is written without a sign before it", "share {n}"),
    _Notation(r"(?<=[\w)])~(?P<at>\bshares?)\b~{n}", "a share is written after the word share", " share {n}"),
    _Notation(r"(?P<before>^~level\b.*[\w)])\s+(?P<at>{n})~(?=,|$)",
              "a share is written after the word share", "{before} share {at}"),
    _Notation(r"{label}~(?P<at>==?|[:,])~(?=\w)",
              "the expression follows the name of the hand type without a sign", "{label} "),
    _Notation(r"(?P<before>^~level\b.*[\w)])\s+(?P<at>{label})",
              "hand types are separated by commas", "{before}, {at}"),
    _Notation(r"^~level~\(~(?P<at>{label}.*)\)~$", "`level` takes no parentheses", "level {at}"),
    _Notation(r"(?-i:^~(?P<at>Level|LEVEL)~(?=\"))", "keywords and functions are written in small letters",
              "level "),
    _Notation(r"^~level {name}\s+(?=\w+\()",
              "the name of a hand type is a text in quotes", 'level "{name}" '),
    _Notation(r"^~level~(?P<at>[^\"]+)$",
              "a hand type begins with its name, a text in quotes", corrections.name_hand_types),
    # ------------------------------------------------------------ choices and words around a condition
    _Notation(r"\bif~{rest} then~(?P<yes>\S+) else~(?P<no>\S+)",
              "a choice is written a ? b : c", "{rest} ? {yes} : {no}"),
    _Notation(r"^~if~{rest} then (?P<more>(?!(?:accept|keep|produce|return)\b)\S.*)$",
              "the language has no word if; 'if a then b' is written not (a) or b",
              "not ({rest}) or {more}"),
    _Notation(r"\biff?\((?P<test>[^,]+),~(?P<yes>[^,]+),~(?P<no>[^,]+)\)~$",
              "a choice is written a ? b : c", "({test} ? {yes} : {no})"),
    _Notation(r"\?~(?P<yes>[^?:\s]+)~(?:\belse\b~(?P<no>\S+)|$)",
              "a choice has two values, a ? b : c",
              lambda match, rules: f"? {match['yes']} : {match['no'] or 0}"),
    _Notation(r"^~{name}~=~(?P<at>lambda) \w+~:~{rest}$",
              "a condition is written without lambda", corrections.write_condition),
    _Notation(r"^~(?:accept|select|filter|require|find|give me|deals?|hands?)?~\*?~(?:where|if|when)~\(?"
              r"(?P<rest>.*?)\)?~"
              r"(?:then\b)?~(?:accept|keep|produce|return true)?~$",
              "a condition is written by itself or after the word condition", corrections.write_condition),
    _Notation(r"^~(?:accept|filter|require|return|only|keep if)\b~{rest}$",
              "a condition is written by itself or after the word condition", corrections.write_condition),
    _Notation(r"^~condition~(?P<at>:|=|is\b)~{rest}$", "`condition` takes no sign", "condition {rest}"),
    _Notation(r"^~{rest} condition~$", "the word condition comes first", "condition {rest}"),
    _Notation(r"^~either {rest} or (?P<more>.*)$",
              "alternatives are joined with `or` alone", "{rest} or {more}"),
    _Notation(r"^~neither {rest} n?or (?P<more>.*)$",
              "the language has no word neither", "not ({rest} or {more})"),
    _Notation(r"^~(?P<rest>[^=]*) unless (?P<more>.*)$",
              "the language has no word unless", "{rest} and not ({more})"),
    _Notation(r"^~(?P<rest>[^=]+(?:==[^=]*)?) (?:if|when) (?P<more>.*)$",
              "conditions are joined with `and`", "{rest} and {more}"),
    # ------------------------------------------------------------ ranges
    _Notation(rf"{{function}}~\(~(?P<at>(?P<side>NS|EW))~\)\s*(?:between|from|in|is|=)?~{{low}}~(?:{_TO}|and)~{{high}}",
              "a function takes one hand, and a range needs two comparisons",
              corrections.write_range_of_side),
    _Notation(r"{value}~(?:==?|\bin\b|\bis\b)~(?:\{(?P<set>[\d ,]+)\}"
              r"|[\[(](?P<numbers>{n}(?:~,~\d+){2,})~[\])])",
              "each number needs its own comparison", corrections.compare_with_each),
    _Notation(r"{value}~{sign}~{n}(?P<at>\+)(?!~[\w(])",
              "a number after a sign such as >= takes no +", "{value} {sign} {n}"),
    _Notation(rf"{{value}}~{_ANY_SIGN}(?:{{low}}~{_TO}~{{high}}(?![\d.])|(?:\[|(?<=[\s=])\()~{{from}}~(?:"
              rf"{_TO}|,|and)~{{to}}~[\])])",
              "a range needs two comparisons", corrections.write_range),
    _Notation(r"{value}~(?:is~)?\b(?:between|from|in)\b~\(?~{low}~(?:and|to|,|-)~{high}~\)?",
              "a range needs two comparisons", corrections.write_range),
    _Notation(r"(?<![\d.]){low}~(?:-|–|\.\.|to)~{high}~(?:in )?{value}",
              "a range needs two comparisons", "{value} >= {low} and {value} <= {high}"),
    _Notation(r"{value}~(?P<sign>[<>]=?)~{n}~(?:,|and|or|&&)?~(?P<next>[<>]=?)~{high}",
              "each comparison needs a left side", "{value} {sign} {n} and {value} {next} {high}"),
    _Notation(rf"{{function}}~\(~{{seat}}~,~{_ANY_SIGN}{{low}}~(?:-|–|\.\.|to|,|and)~{{high}}~\)",
              "a range needs two comparisons",
              "{function}({seat}) >= {low} and {function}({seat}) <= {high}"),
    _Notation(r"{function}~\(~{seat}~,?~=~{n}~\)",
              "the number is compared after the parenthesis", "{function}({seat}) == {n}"),
    _Notation(r"{function}~\(~{seat}~,?~{sign}~{n}~\)",
              "the number is compared after the parenthesis", "{function}({seat}) {sign} {n}"),
    _Notation(r"{function}~\(~{seat}~,~{n}\+~\)",
              "the number is compared after the parenthesis", "{function}({seat}) >= {n}"),
    _Notation(r"{function}~\(~{seat}~(?={sign})", "a ')' is missing after the seat", "{function}({seat}) "),
    _Notation(r"{value}~=?=?~{n}~(?P<at>\+)(?!~\w)",
              "'{n}+' is not a number; {n} or more is written >=", "{value} >= {n}"),
    _Notation(r"{value}~==?~(?P<numbers>{n}(?:(?:~,~|\s+or\s+)\d+)+)(?!~[\w(.<>=!])(?P<set>)",
              "each number needs its own comparison", corrections.compare_with_each),
    _Notation(rf"{{value}}~(?P<at>!=)~{{low}}~{_TO}~{{high}}", "a range needs two comparisons",
              "({value} < {low} or {value} > {high})"),
    # ------------------------------------------------------------ hands
    _Notation(r"{function}~(?P<at>[\[{<])~{seat}~[\]}>]", "a seat is written in parentheses",
              "{function}({seat})"),
    _Notation(r"{function}~\(~{seat}(?:~[,+&/]~{second})?(?P<strain>(?:~,~{suit})?)~\)",
              "`{function}` takes a side, NS or EW", corrections.write_side),
    _Notation(r"{function}~\(~{seat}(?P<joint>\s+(?:or|and)\s+|~[-+|&/,]+~){second}~\)(?:~{sign}~{n})?",
              "a function takes one hand", corrections.join_hands),
    _Notation(r"{function}~\(~(?P<at>(?P<who>all|any|anyone|anybody|everyone|everybody|each|every|both))"
              r"(?: hands?)?~\)~{sign}~{n}",
              "each hand needs its own comparison", corrections.name_each_hand),
    _Notation(rf"{{function}}~\(~(?P<at>{_WHO})~(?P<end>[,)])",
              "'{at}' is not a hand; a hand is named by its seat", "{function}(north{end}"),
    _Notation(r"{function}~\(~(?P<at>[0-4])~(?P<end>[,)])",
              "hands are named by their seats, not by numbers", "{function}(north{end}"),
    _Notation(r"{function}(?P<at>\.){seat}\b", "a seat is written in parentheses after the function",
              "{function}({seat})"),
    _Notation(r"(?:\b\w+\()?\b(?:(?:deal|hand|self|d)\.)?{seat}\.(?:shape\.)?{unit}\b\)?",
              "a seat is written in parentheses after the function", corrections.write_call),
    _Notation(r"{seat}(?:'s|\s+has)?\s+{unit}(?=~[-+*<>=!)]|~$|\s+(?:and|or)\b)",
              "a seat is written in parentheses after the function", corrections.write_call),
    _Notation(r"\b{unit}\s+(?:of\s+|in\s+|for\s+|by\s+)?{seat}",
              "a seat is written in parentheses after the function", corrections.write_call),
    _Notation(rf"\b(?P<word>{corrections.alternatives(corrections.SEAT_WORDS)})(?=~[,)]|\s+any\b)",
              "seats are written out in English", corrections.look_up(corrections.SEAT_WORDS)),
    _Notation(rf"\b(?P<word>{corrections.alternatives(corrections.SUIT_WORDS)})",
              "suits are written out in English", corrections.look_up(corrections.SUIT_WORDS)),
    _Notation(r"{seat}~{sign}~{n} {unit}",
              "a seat is written in parentheses after the function",
              lambda match, rules: f"{corrections.write_call(match, rules)} {match['sign']} {match['n']}"),
    _Notation(r"{function}~\(~(?P<at>\()~{seat}~\)(?:~\))?",
              "an argument takes no parentheses of its own", "{function}({seat})"),
    _Notation(r"{function}~\(~{seat}~,~(?P<at>[SHDCN]|NT)~\)",
              "suits are written out", corrections.name_strain),
    _Notation(r"{function}~\(~(?P<at>{suit})~\)", "`{function}` takes a seat first",
              "{function}(north, {suit})"),
    _Notation(r"{function}~\(~(?P<first>\w+)\s+(?P<at>\w+)~(?P<end>[,)])",
              "a comma is missing", "{function}({first}, {at}{end}"),
    _Notation(r"{function}~\(~(?P<at>(?P<side>NS|EW))~(?P<suits>(?:,~{suit}~)?)\)",
              "a function takes one hand", corrections.add_hands),
    _Notation(r"(?<![\w(,.])(?P<at>(?P<side>{seat}|NS|EW|[NESWCDH]))(?!~\()\b~(?={sign})",
              "'{at}' is not a value; compare points or a length", corrections.add_hands),
    # ------------------------------------------------------------ numbers of cards
    _Notation(r"\(?~(?P<suits>{suit}(?:~(?:\bor\b|\band\b|[+,&|/])~{also})+)~\)?~\(~{seat}~\)~{sign}~{n}",
              "each suit needs the seat of a hand", corrections.join_suits),
    _Notation(r"{value}~{sign}~{n}~(?P<at>\b(?:hcp|points?|pts|cards?|tricks?|losers?|controls?)\b|%"
              r"|percent\b)(?!~[\w(])",
              "a number takes no unit", "{value} {sign} {n}"),
    _Notation(r"(?:\b{owner}(?:\s+(?:has|holds))?\s+)?(?:\b(?P<words>at least|at most|exactly|more than"
              r"|less than|fewer than|only)\s+)?"
              r"(?<![\w.])(?:\b(?P<none>no)\s+|{low})(?:~[-–]~{high})?(?P<more>[-+])?~(?:cards?\s+)?"
              r"(?:in\s+|of\s+)?"
              r"(?<![\w(])(?P<at>{unit})\b(?!~[(<>=!,)])(?:\s+(?:in|for|by|with)\s+{seat})?",
              "write the function with a seat, a sign and the number",
              corrections.count_cards),
    _Notation(r"(?<![\w(]){suit}(?!~\()(?P<blank>\s*)(?=[-+<>!)]|==|=\s*\d|(?:and|or)\b|$)",
              "a suit needs the seat of a hand", corrections.add_seat),
    _Notation(r"(?<![\w(])(?P<at>{unit})(?!\s*\()~$",
              "`{at}` needs the seat of a hand", corrections.write_call),
    # ------------------------------------------------------------ definitions
    _Notation(r"^~\w+~=(?!=)[^;]*?(?P<at>;)~\S.*$", "statements need no ';'",
              lambda match, rules: re.sub(r"\s*;\s*", " ", match[0])),
    _Notation(r"^~(?:def )?~{name}~\([a-z_, ]*\)~(?:=(?!=)|:)~(?:return\b)?~{rest}$",
              "a definition takes no arguments, so each hand needs its own",
              corrections.define_for_north),
    _Notation(r"^~(?:set|let|define|var|int|bool|float|def|const|auto) {name}~(?::?=|\bas\b)?~{rest}$",
              "a variable is defined with its name and the sign =", "{name} = {rest}"),
    _Notation(r"^~{name}~(?::=|:|==|<-)~(?P<rest>[^=].*)$",
              "a variable is defined with the sign =", "{name} = {rest}"),
    _Notation(r"^~{name}~(?P<joint>[-+*/])=~{rest}$",
              "a variable is defined only once; give the new value another name",
              "{name}_2 = {name} {joint} {rest}"),
    _Notation(r"^~{name} (?P<bid>[1-7](?:NT?|[CDHS]))~=(?!=)", "a name is one word", "{name}_{bid} ="),
    _Notation(r"(?P<level>[1-7])~(?P<at>[♠♥♦♣])~=(?!=)",
              "a name consists of letters, digits and _",
              lambda match, rules: f"bid{match['level']}{'SHDC'['♠♥♦♣'.index(match['at'])]} ="),
    _Notation(r"^~{name} (?P<at>\w+)~=(?!=)", "a name is one word", "{name}_{at} ="),
    _Notation(r"^~(?P<at>{name})\s+(?P<rest>(?:not\s+)?\(*{function}[({][^/#]*?)~(?://.*|#.*)?$",
              "a definition needs the sign =", corrections.define_name),
    _Notation(r"^~(?P<at>(?P<first>\w+)-(?P<last>\w+))~=(?!=)",
              "a name consists of letters, digits and _, without -", "{first}_{last} ="),
    _Notation(r"(?P<before>(?-i:\b(?:10|[2-9TJQKA])))?(?P<at>[♠♥♦♣♤♡♢♧])(?P<after>(?-i:(?:10|[2-9TJQKAx])+))?",
              "suits are written with letters or words", corrections.name_symbol),
    # ------------------------------------------------------------ signs and words
    _Notation(r"(?<!\bshape)~(?P<at>\{)~(?P<inside>{seat}~,[^{}]*)\}",
              "shapes in braces follow the word shape", " shape{{inside}}"),
    _Notation(r"(?<!\w)(?P<at>\{)~(?P<inside>[^{}]*?)~\}",
              "braces are used after `shape` only", "({inside})"),
    _Notation(r"(?P<sign>[<>!])\s+=(?!=)", "'{sign}=' is written without a blank", "{sign}="),
    _Notation(r"{value}~=~{n}(?![\w.])",
              "a comparison is written ==; a single '=' defines a variable", "{value} == {n}"),
    _Notation(rf"(?<=[\w)])\s+(?P<word>{corrections.alternatives(corrections.COMPARISON_WORDS)})~(?=\d)",
              "a comparison is written with a sign", corrections.write_sign),
    _Notation(rf"(?P<word>{corrections.alternatives(corrections.COMPARISON_SIGNS)})",
              "'{word}' is not an operator", corrections.look_up(corrections.COMPARISON_SIGNS)),
    _Notation(r"(?<![&|])(?P<word>[&|≤≥≠–−×÷])(?![&|])", "'{word}' is not an operator",
              corrections.look_up(corrections.OPERATOR_SIGNS)),
    _Notation(r"{value}~(?:\*\*|\^)~2", "the language has no powers", "{value} * {value}"),
    _Notation(rf"(?<=\s)(?P<word>{corrections.alternatives(corrections.OPERATOR_WORDS)})(?=\s)",
              "operators are signs or English words", corrections.look_up(corrections.OPERATOR_WORDS)),
    _Notation(rf"\b(?P<word>{'|'.join(corrections.NUMBERS)})\b",
              "a number is written in digits",
              lambda match, rules: str(corrections.NUMBERS.index(match["word"].lower()))),
    _Notation(r"(?P<at>\b(?:and|or)\s+(?P<again>and|or))\s", "two operators follow each other", "{again} "),
    _Notation(r"^~(?:and|or)\s+{rest}$", "there is no condition before this operator", "{rest}"),
    _Notation(r"(?-i:\b(?P<word>(?=[A-Za-z]*[A-Z])[A-Za-z]{2,})\b)",
              "keywords and functions are written in small letters", corrections.write_small),
    _Notation(r"^~(?P<cards>{card})~$", "`hascard` tests for a card", "hascard(north, {cards})"),
    _Notation(r"^(?P<rest>(?!\s*#).*[^\s;])~(?P<at>;)~(?://.*)?$", "statements need no ';'", "{rest}"),
    _Notation(r"(?P<test>{function}~\((?:[^()]|\([^()]*\))*\))~(?P<at>==?|\bis\b)~(?P<truth>true|false|yes|no)\b",
              "a condition needs no comparison with true or false", corrections.write_truth),
    _Notation(r"(?P<at>[\u00a0\u2007\u202f])", "this is a no-break space; write an ordinary blank", " "),
    _Notation(r"\b(?P<at>true|false)\b", "the truth values are 1 and 0",
              lambda match, rules: "1" if match["at"].lower() == "true" else "0"),
    _Notation(r"^(?P<before>.*?\S)\s+(?P<at>xor)\s+(?P<after>\S.*)$",
              "the language has no word xor", "({before}) != ({after})"),
    _Notation(r"(?:{second}(?: is)?\s+)?\b(?P<at>(?:semi)?balanced)\b(?!~\()(?:\s+{seat})?",
              "'{at}' takes a seat in parentheses", corrections.write_seat),
    _Notation(rf"\b(?P<at>(?P<word>{corrections.alternatives(corrections.EXPRESSIONS)}))\b"
              r"(?:~\(~(?:{seat}(?:~,~{suit})?)?~\))?",
              "'{at}' is not a word of the language", corrections.write_expression),
    _Notation(r"\b(?:if|then|else)\b",
              "a condition is written without if: hcp(north) > 14; a choice is written a ? b : c", ""),
    _Notation(r"\b(?:in|between)\b",
              "a range needs two comparisons, such as hcp(north) >= 12 and hcp(north) <= 14", ""),
    _Notation(r"(?<=\))\s+(?P<at>{n})(?![\w.])", "a sign such as == or >= is missing before {at}",
              " == {at}"),
    _Notation(r"(?<=\))~(?P<at>,)~(?=\w+\()|(?<=\d)~,~(?=[a-z]\w+\()",
              "conditions are joined with `and` or `or`, not with a comma",
              lambda match, rules: " and " if corrections.is_outside(match) else ""),
    _Notation(r"(?<=[\d)])\s+(?P<at>(?P<word>[a-z]\w*)\()",
              "an operator is missing before '{word}'", " and {at}"),
)  # fmt: skip


# ---------------------------------------------------------------- finding notations
def explain_notation(error: ScriptError, rules: Rules) -> ScriptError:
    """Return an error, and its further errors, with the reasons and remedies of known notations.

    The remedy is the line with all its known notations corrected. Of several mistakes inside one notation,
    only the first is kept.
    """
    # Look for notations in each line separately.
    lines: dict[tuple[str | None, int], list[ScriptError]] = {}
    for mistake in error.errors:
        lines.setdefault((mistake.file, mistake.line), []).append(mistake)
    first, *further = (mistake for mistakes in lines.values() for mistake in _explain_line(mistakes, rules))
    return first.replace(further=further)


def _explain_line(mistakes: list[ScriptError], rules: Rules) -> list[ScriptError]:
    """Return the mistakes of one line with the reasons and remedies of the notations in it."""
    # Correct one mistake after the other, so that the line can be read up to the next one.
    line, shift, end = mistakes[0].source, 0, -1
    found: list[tuple[ScriptError, _Found | None]] = []
    for mistake in mistakes:
        index = mistake.column - 1 + shift
        if index <= end:
            continue  # this mistake is inside the previous notation
        notation = _find_notation(line, index, rules)
        if notation is not None and notation.match.start() < end:
            notation = None
        if notation is not None:
            groups = notation.match.groupdict()
            column = notation.match.start("at") + 1 - shift if groups.get("at") else mistake.column
            mistake = mistake.replace(reason=notation.reason, column=column, further=(), remedy=None, kind="")
            corrected = notation.correct(line)
            shift += len(corrected) - len(line)
            line, end = corrected, notation.match.start() + len(notation.text)
        found.append((mistake, notation))
    # Then correct mistakes that the parser reaches only now.
    for _ in range(MAX_STEPS):
        position = find_first_error(_blank_others(line), rules)
        more = None if position is None else _find_notation(line, position, rules)
        if more is None:
            break
        line = more.correct(line)
    return [
        mistake if notation is None or not notation.text else _add_remedy(mistake, notation.text, line, rules)
        for mistake, notation in found
    ]


def _add_remedy(error: ScriptError, text: str, line: str, rules: Rules) -> ScriptError:
    """Return an error with the corrected line as its remedy, or only the corrected part if more is wrong."""
    if not text.lstrip().startswith("//"):
        line = re.split(r"\s*(?://|/\*|;\s*$)", line)[0]
    is_whole = len(line) <= MAX_REMEDY and _find_mistake(line, rules) in (None, len(line))
    if is_whole:
        return error.replace(remedy=Remedy(line.strip(), "line"))
    # The part does not help if it is the whole line or has an open parenthesis.
    is_part = text.strip() != line.strip() and text.count("(") == text.count(")")
    return error.replace(remedy=Remedy(text.strip())) if is_part else error


def _find_mistake(line: str, rules: Rules) -> int | None:
    """Return the offset of a syntax error, or of an operand after an operand, in a line; None if neither."""
    text = _blank_others(line)
    tokens, _ = tokenize(ScriptSource(text, rules), ())
    places = [find_first_error(text, rules)]
    defined = {
        "share",
        *(token.text for token, after in itertools.pairwise(tokens) if after.type == "ASSIGN"),
    }
    for before, token in itertools.pairwise(tokens):
        if defined & {before.text, token.text} or before.type == token.type == "NUMBER":  # values of points
            continue
        # A condition may follow definitions, and then begin with a function.
        beginnings = _OPERAND_BEGINNINGS if len(defined) == 1 else ("NAME",)
        if before.type in _OPERAND_ENDS and token.type in beginnings:
            places.append(token.start)
    return min((place for place in places if place is not None), default=None)


class _Found(NamedTuple):
    """A notation that was found: its match, the reason, and the text to write instead."""

    match: Match
    reason: str
    text: str

    def correct(self, line: str) -> str:
        """Return the line of the match with the text in place of the match."""
        return line[: self.match.start()] + self.text + line[self.match.end() :] if self.text else line


def _find_notation(line: str, index: int, rules: Rules) -> _Found | None:
    """Return the first notation at an index of a line for which the corrected text has no syntax error."""
    if len(line) > MAX_LINE or not _is_foreign(line, index, rules):
        return None
    for pattern, notation in _compile_notations():
        for match in pattern.finditer(line):
            if not match.start() <= index <= match.end():
                continue
            remedy = notation.remedy
            text = remedy(match, rules) if callable(remedy) else _fill(remedy, match)
            found = _Found(match, _fill(notation.reason, match), text)
            if not notation.remedy:
                return found
            corrected = found.correct(line)
            if not text or _list_tokens(corrected, rules) == _list_tokens(line, rules):
                continue
            position = find_first_error(_blank_others(corrected), rules)
            if position is None or position >= match.start() + len(text.rstrip()):
                return found
    return None


def _is_foreign(line: str, index: int, rules: Rules) -> bool:
    """Return whether a mistake can be a notation: the line has a syntax error, or the word there is unknown.

    A statement that follows an operand in the same line counts, too: an operator may be missing before it.
    """
    text = _blank_others(line)
    if find_first_error(text, rules) is not None:
        return True
    tokens, _ = tokenize(ScriptSource(text, rules), ())
    position = next((k for k, token in enumerate(tokens) if token.start == index), None)
    if position is None:
        return True
    if tokens[position].type == "NAME":
        return [token.type for token in tokens[position + 1 : position + 2]] != ["ASSIGN"]
    return position > 0 and tokens[position - 1].type in ("RPAR", "NUMBER", "NAME")


def _list_tokens(line: str, rules: Rules) -> list[tuple[str, str]] | str:
    """Return the types and texts of a line's tokens; the line itself if it has characters that begin none."""
    tokens, error = tokenize(ScriptSource(line, rules), ())
    return line if error is not None else [(token.type, token.text) for token in tokens]


def _blank_others(line: str) -> str:
    """Blank out an include or operator at the beginning of a line, and write 1 for script variables."""
    line = re.sub(
        r"^\s*(?:#include\s*\"[^\"]*\"|and\b|or\b|&&|\|\||[),])", lambda match: " " * len(match[0]), line
    )
    return re.sub(r"\$\w+", lambda match: "1".ljust(len(match[0])), line)


def _fill(template: str, match: Match) -> str:
    """Return a template with the groups of the match filled in; seats and suits in small letters."""
    groups = match.groupdict()
    small = ("seat", "second", "suit", "also", "function", "word")

    def write(name: Match) -> str:
        text = groups.get(name[1])
        if text is not None and name[1] in ("suit", "also") and text[-1] not in "sS":
            text += "s"
        return name[0] if text is None else text.lower() if name[1] in small else text

    return re.sub(r"\{(\w+)\}", write, template)


def _expand(pattern: str) -> str:
    """Return a pattern in which names are replaced by their parts; a repeated part matches the same text."""
    seen: set[str] = set()

    def write(name: Match) -> str:
        part = corrections.PARTS.get(name[1])
        if part is None:
            return name[0]
        if name[1] in seen:
            return f"(?P={name[1]})"
        seen.add(name[1])
        return f"(?P<{name[1]}>{part})"

    text = re.sub(r"\{([a-z]+)\}", write, pattern)
    return re.sub(r"(?<=\w) (?=[\w(\\])", r"\\s+", text).replace("~", r"\s*")


@functools.cache
def _compile_notations() -> tuple[tuple[re.Pattern[str], _Notation], ...]:
    return tuple((re.compile(_expand(notation.pattern), re.IGNORECASE), notation) for notation in NOTATIONS)
