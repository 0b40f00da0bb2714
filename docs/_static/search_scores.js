// How search results are ranked: Sphinx's scores, more for pages that answer a question than for the glossary and pages
// about the code, and a public name that was typed in full directly after the page for it. Sphinx copies this object into
// language_data.js, where its search looks for it.
var Scorer = {
  score: ([page, title, _anchor, _description, score, _file, kind]) => {
    const isPublicName = kind === "object" && score >= 16 && title.split(".").length === 2;
    if (isPublicName) return score + 80;
    const [, extra] = [
      [/^howto\//, 6],
      [/^(tutorial|gallery)\//, 2],
      [/^reference\/python\/generated\//, -4],
      [/^(contributing\/|reference\/(?:glossary|published|language\/mistakes))/, -8],
    ].find(([pages]) => pages.test(page)) ?? [null, 0];
    return score + extra;
  },
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
