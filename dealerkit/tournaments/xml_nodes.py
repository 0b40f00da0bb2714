"""XML as a tree whose nodes know their lines, with what was read before a fault."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from xml.parsers import expat

from dealerkit.errors import FileError
from dealerkit.formats.text_files import decode_text

MAX_DEPTH = 100  # of elements in each other; USEBIO has less than 10


@dataclass(slots=True)
class Node:
    """An element of XML: name in upper case, attributes, text, children, line."""

    name: str
    line: int
    attributes: dict[str, str] = field(default_factory=dict)
    text: str = ""
    children: list[Node] = field(default_factory=list)

    def find(self, *names: str) -> str:
        """Return the text of the first child with one of these names, or ""."""
        for name in names:
            for child in self.children:
                if child.name == name and child.text.strip():
                    return " ".join(child.text.split())
        return ""

    def find_all(self, name: str) -> Iterator[Node]:
        """Yield all elements of this name at any depth, in their order."""
        for child in self.children:
            if child.name == name:
                yield child
            yield from child.find_all(name)


def parse_xml(data: bytes, name: str) -> tuple[Node, str]:
    r"""Return the tree of a file, and the fault at which reading ended, "" if it is complete.

    An element without children that was not closed when reading ended is left out.

    Raises
    ------
    FileError
        It defines entities, of which a few can make a text of any length, or nests elements too deeply.

    Examples
    --------
    >>> root, fault = parse_xml(b"<a><b>1</b><b>2", "x.xml")
    >>> [node.text for node in root.find_all("B")], fault
    (['1'], 'line 1: no element found')
    """
    root = Node("", 0)
    stack = [root]
    texts: list[list[str]] = [[]]  # of the elements in `stack`, in pieces

    def start(tag: str, attributes: dict[str, str]) -> None:
        if len(stack) > MAX_DEPTH:
            place = f"line {parser.CurrentLineNumber}"
            raise FileError(
                f"{name}, {place}: more than {MAX_DEPTH} elements are in each other; this is no USEBIO"
            )
        stack.append(Node(tag.upper(), parser.CurrentLineNumber, attributes))
        texts.append([])

    def end(tag: str) -> None:
        node = stack.pop()
        node.text = "".join(texts.pop())
        stack[-1].children.append(node)

    def refuse(*_: object) -> None:
        raise FileError(f"{name}: definitions of entities in XML are not read; remove them from the file")

    for source in (data, _recode(data)):
        parser = expat.ParserCreate()
        parser.StartElementHandler, parser.EndElementHandler = start, end
        parser.CharacterDataHandler = lambda text: texts[-1].append(text)
        parser.EntityDeclHandler = refuse
        root.children.clear()
        del stack[1:], texts[1:]
        fault = ""
        try:
            parser.Parse(source, True)
        except expat.ExpatError as reason:
            fault = f"line {reason.lineno}: {expat.ErrorString(reason.code)}"
            if reason.code != expat.errors.codes[expat.errors.XML_ERROR_INVALID_TOKEN]:
                break
        else:
            break
    while len(stack) > 1:  # elements that are not closed: what they contain so far
        node = stack.pop()
        node.text = "".join(texts.pop())
        if node.children:
            stack[-1].children.append(node)
    return root, fault


def _recode(data: bytes) -> bytes:
    """Return the text of a file in UTF-8, whatever its first line says about its characters."""
    text = decode_text(data)
    head, end, rest = text.partition("?>")
    return (rest if end and head.lstrip("\ufeff \n").startswith("<?xml") else text).encode()
