"use strict";
// Tables are sorted by the head of a column; a second click turns the order round.
function readNumber(text) {
  const found = text.replace(/−/g, "-").replace(/,(?=\d{3})/g, "").match(/[-+]?\d+(\.\d+)?/);
  return found ? parseFloat(found[0]) : NaN;
}
function sortRows(table, column, up) {
  const body = table.tBodies[0];
  const rows = Array.from(body.rows, row => ({ row, text: row.cells[column].textContent.trim() }));
  const isText = rows.some(item => item.text && /^[^-+−\d<≈]/.test(item.text));
  for (const item of rows) item.number = readNumber(item.text);
  const isEmpty = item => (isText ? !item.text : isNaN(item.number));
  rows.sort((a, b) => {
    if (isEmpty(a) || isEmpty(b)) return isEmpty(a) - isEmpty(b); // at the end in both orders
    const order = isText ? a.text.localeCompare(b.text, "en", { numeric: true }) : a.number - b.number;
    return up ? order : -order;
  });
  body.append(...rows.map(item => item.row));
}
for (const table of document.querySelectorAll("table.dk-table, table.docutils")) {
  const least = table.matches(".dk-table") ? 2 : 8; // rows; the manual has many short tables
  if (!table.tHead || table.tBodies[0].rows.length < least) continue;
  const heads = Array.from(table.tHead.rows[0].cells);
  heads.forEach((head, column) => {
    if (head.classList.contains("pic") || !head.textContent.trim()) return;
    const button = document.createElement("button");
    button.type = "button";
    button.className = "dk-sort";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const isText = /^[^-+−\d<≈]/.test(table.tBodies[0].rows[0].cells[column].textContent.trim());
      const before = head.getAttribute("aria-sort");
      const up = before ? before !== "ascending" : isText; // numbers: the largest first
      heads.forEach(other => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", up ? "ascending" : "descending");
      sortRows(table, column, up);
    });
  });
}
// A wide table can be scrolled with the keyboard.
for (const part of document.querySelectorAll(".dk-scroll")) {
  if (part.scrollWidth > part.clientWidth) part.tabIndex = 0;
}
