"""Pictures on the first page of the gallery: the plots of the pages it links to, for light and dark pages."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx

from dealerkit.appearance.html import read_tokens

COLOR = re.compile(r"var\((--dk-[\w-]+), #\w+\)")
DRAWING = re.compile(r"<svg role=.*?</svg>", re.DOTALL)
FOLDER = "_images/gallery"


def write_thumbnail(folder: Path, name: str, drawing: str, theme: str) -> str:
    """Write a drawing with the colours of a theme as a file, and return its name."""
    tokens = read_tokens(theme)
    text = COLOR.sub(lambda match: tokens[match[1]], drawing)
    text = re.sub(r"<title>.*?</title>", "", text)  # values of marks, of no use here
    text = text.replace(
        "<svg ", '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ', 1
    )
    text = text.replace('href="#', 'xlink:href="#')
    file = f"{name}-{theme}-{hashlib.blake2b(text.encode(), digest_size=4).hexdigest()}.svg"
    (folder / file).write_text(text, encoding="utf-8")
    return file


def add_thumbnails(app: Sphinx, doctree: nodes.document, page: str) -> None:
    """Put the first plot of each linked page before its link, if the pages were executed."""
    if page != "gallery/index" or app.builder.format != "html":
        return
    folder = Path(app.outdir, FOLDER)
    folder.mkdir(parents=True, exist_ok=True)
    for container in doctree.findall(nodes.container):
        if "thumbnails" not in container["classes"]:
            continue
        for link in list(container.findall(nodes.reference)):
            linked = "gallery/" + link["refuri"].partition("#")[0].removesuffix(".html")
            raw = (node.astext() for node in app.env.get_doctree(linked).findall(nodes.raw))
            drawings = [drawing for text in raw for drawing in DRAWING.findall(text)]
            for theme in ("light", "dark") if drawings else ():
                file = write_thumbnail(folder, linked.partition("/")[2], drawings[0], theme)
                picture = f'<img class="only-{theme}" src="../{FOLDER}/{file}" alt="" loading="lazy" />'
                link.insert(("light", "dark").index(theme), nodes.raw("", picture, format="html"))


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("doctree-resolved", add_thumbnails)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
