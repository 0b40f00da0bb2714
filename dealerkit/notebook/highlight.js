// Colours of the dealer language in dealer cells of JupyterLab and Jupyter Notebook, which colour every cell as Python.
// It draws over the text (CSS Custom Highlight API) and changes nothing in the editor. WORDS is filled in by Python.
(() => {
  if (!window.CSS || !CSS.highlights || window.dealerkitColors) return;
  if (!document.getElementById("jupyter-config-data")) return;  // a converted notebook has no editor
  window.dealerkitColors = true;
  const words = WORDS;
  const pattern = /(?<comment>#.*|\/\/.*|\/\*.*?\*\/)|(?<string>"[^"]*"?)|(?<variable>\$\w+)|(?<word>[A-Za-z]\w*)(?=(?<call>\s*[({])?)|(?<number>[\dx.]+)|(?<text>[^\s\w"#$\/]+|\/)/g;
  const colors = {
    keyword: "--jp-mirror-editor-keyword-color", function: "--jp-mirror-editor-def-color",
    seat: "--jp-mirror-editor-operator-color", suit: "--jp-mirror-editor-operator-color",
    number: "--jp-mirror-editor-number-color", string: "--jp-mirror-editor-string-color",
    comment: "--jp-mirror-editor-comment-color", variable: "--jp-mirror-editor-property-color",
    text: "--jp-content-font-color1",
  };
  const sheet = document.createElement("style");
  sheet.textContent = Object.entries(colors).map(([kind, name]) => `::highlight(dk-${kind}) { color: var(${name}); }`).join("\n");
  document.head.append(sheet);
  const kindOf = groups => {
    if (groups.word === undefined) return Object.keys(groups).find(name => groups[name] !== undefined);
    const kind = words[groups.word] || "text", isCalled = groups.call !== undefined;
    return isCalled && (kind === "suit" || kind === "text") ? "function" : kind;
  };
  // The range of the characters from start to end of a line, which consists of several nodes.
  const rangeOf = (line, start, end) => {
    const range = new Range(), walker = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
    let offset = 0, isOpen = false;
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const next = offset + node.length;
      if (!isOpen && start < next) { range.setStart(node, start - offset); isOpen = true; }
      if (isOpen && end <= next) { range.setEnd(node, end - offset); return range; }
      offset = next;
    }
    return null;
  };
  const paint = () => {
    waits = false;
    const ranges = Object.fromEntries(Object.keys(colors).map(kind => [kind, []]));
    for (const editor of document.querySelectorAll(".jp-CodeCell .cm-content")) {
      const [first, ...lines] = editor.querySelectorAll(".cm-line");
      if (!first || !/^\s*%%dealer\b/.test(first.textContent)) continue;
      for (const line of lines)
        for (const match of line.textContent.matchAll(pattern)) {
          const range = rangeOf(line, match.index, match.index + match[0].length);
          if (range) ranges[kindOf(match.groups)].push(range);
        }
    }
    for (const [kind, list] of Object.entries(ranges)) CSS.highlights.set(`dk-${kind}`, new Highlight(...list));
  };
  let waits = false;
  const request = () => { if (!waits) { waits = true; requestAnimationFrame(paint); } };
  new MutationObserver(changes => {
    if (changes.some(({target}) => (target.closest ? target : target.parentElement)?.closest(".jp-Notebook"))) request();
  }).observe(document.body, {childList: true, characterData: true, subtree: true});
  request();
})();
