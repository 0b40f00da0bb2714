// The explorer in the browser. Python renders the parts of the page as HTML; this module shows them, sends what the user
// does, colours and completes the editors, copies, and saves files.

const WAIT = 250; // milliseconds without a key, after which a field is sent
const TOKEN = /(\/\*[^]*?\*\/|\/\/[^\n]*|^[ \t]*#[^\n]*)|("[^"\n]*"?)|(\$\w+)|([A-Za-z_]\w*)|(\d+(?:\.\d+)?)/gm;
const escapeHtml = text => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");

function colour(text, words, marks) {
  // Marks are [start, end] of mistakes; tokens get a class by their kind.
  const classes = [];
  for (const found of text.matchAll(TOKEN)) {
    const [all, comment, string, variable, word, number] = found;
    const kind = comment ? "dk-tc" : string ? "dk-ts" : variable ? "dk-tv" : number ? "dk-tn"
      : words.keywords.has(word) ? "dk-tk" : words.functions.has(word) ? "dk-tf" : "";
    if (kind) classes.push([found.index, found.index + all.length, kind]);
  }
  let html = "", place = 0;
  const cut = (end, kind) => {
    for (const [start, stop] of marks) {
      if (start >= end || stop <= place) continue;
      if (start > place) { html += wrap(text.slice(place, start), kind); place = start; }
      const last = Math.min(stop, end);
      html += wrap(text.slice(place, last), `${kind} dk-tm`.trim());
      place = last;
    }
    if (place < end) html += wrap(text.slice(place, end), kind);
    place = end;
  };
  for (const [start, end, kind] of classes) { cut(start, ""); cut(end, kind); }
  cut(text.length, "");
  return html + "\n";
}
const wrap = (text, kind) => (kind ? `<span class="${kind}">${escapeHtml(text)}</span>` : escapeHtml(text));

class Editor {
  constructor(box, words, send) {
    Object.assign(this, { box, words, send, marks: [], timer: 0, chosen: -1, items: [] });
    this.name = box.dataset.code;
    this.area = box.querySelector("textarea");
    this.shown = box.querySelector("pre");
    this.list = box.querySelector("ul");
    this.area.addEventListener("input", () => { this.marks = []; this.paint(); this.wait(); this.ask(); });
    this.area.addEventListener("scroll", () => { this.shown.scrollTop = this.area.scrollTop; });
    this.area.addEventListener("keydown", event => this.press(event));
    this.area.addEventListener("blur", () => setTimeout(() => this.close(), 150));
    this.list.addEventListener("mousedown", event => {
      const item = event.target.closest("li");
      if (item) { event.preventDefault(); this.accept([...this.list.children].indexOf(item)); }
    });
    this.paint();
  }
  paint() {
    this.shown.innerHTML = colour(this.area.value, this.words, this.marks);
    this.area.style.height = "auto"; // as high as the text, which may be wrapped
    if (this.area.scrollHeight) this.area.style.height = `${Math.min(Math.max(this.area.scrollHeight + 2, 84), 480)}px`;
  }
  set(text) {
    if (text !== this.area.value) { this.area.value = text; this.marks = []; }
    this.paint();
  }
  mark(marks) { this.marks = marks; this.area.setAttribute("aria-invalid", String(marks.length > 0)); this.paint(); }
  wait() { clearTimeout(this.timer); this.timer = setTimeout(() => this.commit(), WAIT); }
  commit() { clearTimeout(this.timer); this.timer = 0; this.send({ code: this.name, value: this.area.value }); }
  ask(always = false) {
    const before = this.area.value.slice(0, this.area.selectionStart);
    if (always || /[A-Za-z$]\w*$|\w[({]\s*$|,\s*$/.test(before)) this.send({ complete: this.name, before, text: this.area.value });
    else this.close();
  }
  offer(before, word, items) {
    if (before !== this.area.value.slice(0, this.area.selectionStart) || document.activeElement !== this.area && this.area.getRootNode().activeElement !== this.area) return;
    this.items = items.filter(item => item !== word).slice(0, 8);
    this.word = word;
    this.list.innerHTML = this.items.map((item, k) => `<li role="option" id="${this.list.id}-${k}" aria-selected="false">${escapeHtml(item)}</li>`).join("");
    this.list.hidden = !this.items.length;
    this.choose(-1);
  }
  close() { this.list.hidden = true; this.items = []; this.area.removeAttribute("aria-activedescendant"); }
  choose(number) {
    this.chosen = number;
    [...this.list.children].forEach((item, k) => item.setAttribute("aria-selected", String(k === number)));
    if (number >= 0) this.area.setAttribute("aria-activedescendant", `${this.list.id}-${number}`);
    else this.area.removeAttribute("aria-activedescendant");
  }
  accept(number) {
    const end = this.area.selectionStart, start = end - this.word.length;
    this.area.setRangeText(this.items[number], start, end, "end");
    this.close();
    this.area.focus();
    this.paint();
    this.wait();
  }
  press(event) {
    if ((event.ctrlKey || event.metaKey) && event.key === "Enter") { event.preventDefault(); this.commit(); this.send({ do: "run" }); return; }
    if (event.ctrlKey && event.key === " ") { event.preventDefault(); this.ask(true); return; }
    if (this.list.hidden) return;
    const count = this.items.length;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      const first = this.chosen < 0;
      this.choose(event.key === "ArrowDown" ? (this.chosen + 1) % count : first ? count - 1 : (this.chosen + count - 1) % count);
    } else if ((event.key === "Enter" || event.key === "Tab") && this.chosen >= 0) {
      event.preventDefault();
      this.accept(this.chosen);
    } else if (event.key === "Escape") { event.preventDefault(); event.stopPropagation(); this.close(); }
  }
}

function saveFile({ name, type, content }) {
  const bytes = Uint8Array.from(atob(content), letter => letter.charCodeAt(0));
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([bytes], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

function render({ model, el }) {
  const send = message => model.send(message);
  const words = { keywords: new Set(model.get("words").keywords), functions: new Set(model.get("words").functions) };
  el.className = model.get("classes");
  el.innerHTML = model.get("page");
  let editors = {};
  const timers = new Map();
  const region = name => el.querySelector(`[data-region="${name}"]`);

  function findEditors() {
    editors = {};
    for (const box of el.querySelectorAll("[data-code]")) editors[box.dataset.code] = new Editor(box, words, send);
  }
  function show(name, html) {
    // Replace a part; what has the focus and what is unfolded stays so.
    const part = region(name);
    if (!part) return;
    const active = el.getRootNode().activeElement;
    const inside = active && part.contains(active);
    const key = inside ? describe(active) : null;
    const start = inside && active.selectionStart, end = inside && active.selectionEnd;
    const typed = inside && timers.has(active) ? active.value : null;
    const open = new Map([...part.querySelectorAll("details")].map(fold => [nameFold(fold), fold.open]));
    part.innerHTML = html;
    for (const fold of part.querySelectorAll("details")) if (open.has(nameFold(fold))) fold.open = open.get(nameFold(fold));
    if (key) {
      const again = [...part.querySelectorAll("input, select, button, textarea, summary, a")].find(each => describe(each) === key);
      if (again) {
        if (typed !== null) again.value = typed;
        again.focus({ preventScroll: true });
        try { if (typeof start === "number") again.setSelectionRange(start, end); } catch { /* numbers have no selection */ }
      }
    }
  }
  const nameFold = fold => fold.dataset.key || fold.querySelector("summary").textContent;
  const describe = each => [each.tagName, each.id, each.dataset.fill, each.dataset.set, each.dataset.do, each.dataset.value, each.getAttribute("aria-label"), each.tagName === "SUMMARY" ? nameFold(each.parentElement) : ""].join("|");
  function sendField(field) {
    clearTimeout(timers.get(field));
    timers.delete(field);
    const { fill, set, valueOf } = field.dataset;
    if (fill !== undefined) send({ fill, value: field.value });
    else if (set !== undefined) send({ set, value: field.value });
    else if (valueOf !== undefined) send({ slide: valueOf, value: field.value });
  }
  function flush() {
    for (const field of [...timers.keys()]) sendField(field);
    for (const editor of Object.values(editors)) if (editor.timer) editor.commit();
  }
  const isField = target => target.matches("[data-fill], [data-set], [data-value-of]");

  el.addEventListener("input", event => {
    const field = event.target;
    if (!isField(field)) return;
    if (field.type === "range") {
      field.parentElement.querySelector("output").textContent = field.value;
      clearTimeout(timers.get(field));
      timers.set(field, setTimeout(() => sendField(field), 30));
    } else {
      clearTimeout(timers.get(field));
      timers.set(field, setTimeout(() => sendField(field), WAIT));
    }
  });
  el.addEventListener("change", event => {
    const field = event.target;
    if (isField(field)) { if (timers.has(field) || field.tagName === "SELECT") sendField(field); return; }
    if (field.dataset.check !== undefined) {
      const chosen = [...el.querySelectorAll(`[data-check="${field.dataset.check}"]:checked`)].map(box => box.value);
      send({ fill: field.dataset.check, value: chosen.join(" ") });
    }
    if (field.dataset.file !== undefined && field.files.length) {
      const reader = new FileReader(), file = field.files[0];
      reader.onload = () => send({ file: file.name, content: reader.result.split(",")[1] || "" });
      reader.readAsDataURL(file);
    }
  });
  el.addEventListener("keydown", event => {
    if (event.key === "Enter" && event.target.matches("input[data-fill], input[data-set]")) { flush(); send({ do: "run" }); }
    event.stopPropagation(); // the notebook has shortcuts of its own
  });
  el.addEventListener("toggle", event => {
    const fold = event.target;
    if (fold.dataset && fold.dataset.load && fold.open) send({ do: "load", value: fold.dataset.load });
  }, true);
  el.addEventListener("click", async event => {
    const button = event.target.closest("button");
    if (!button || button.disabled) return;
    if (button.dataset.copy) {
      flush();
      const text = el.querySelector(`#${button.dataset.copy}`).textContent, words = button.textContent;
      await copyText(text);
      button.textContent = "Copied";
      say("Copied");
      setTimeout(() => { button.textContent = words; }, 1500);
      return;
    }
    if (!button.dataset.do) return;
    flush();
    if (button.dataset.do === "stop") {
      button.textContent = "Stopping";
      button.disabled = true;
      say("Stopping");
    }
    send({ do: button.dataset.do, value: button.dataset.value });
  });
  function say(text) { const line = region("say"); if (line) line.textContent = text; }
  function setRunning(isRunning) {
    const run = el.querySelector('[data-do="run"]'), stop = el.querySelector('[data-do="stop"]');
    if (!run || !stop) return;
    const hadFocus = el.getRootNode().activeElement === stop;
    stop.disabled = !isRunning;
    if (!isRunning || stop.textContent !== "Stopping") stop.textContent = "Stop";
    else if (isRunning) stop.disabled = true;
    run.classList.toggle("dk-main", !isRunning);
    stop.classList.toggle("dk-main", isRunning);
    if (hadFocus && stop.disabled) run.focus({ preventScroll: true });
  }
  function showMistake(mark) { // in a narrow window it may be beyond the part of the line that is seen
    const lines = mark.closest("pre");
    if (lines.scrollLeft === 0) lines.scrollLeft = mark.getBoundingClientRect().right - lines.getBoundingClientRect().right + 24;
  }
  function take(message) {
    if (message.page !== undefined) {
      region("main").innerHTML = message.page;
      findEditors();
      const head = el.querySelector("h2");
      if (message.focus && head) { head.tabIndex = -1; head.focus({ preventScroll: true }); el.scrollIntoView({ block: "nearest" }); }
    }
    for (const [name, html] of Object.entries(message.show || {})) show(name, html);
    for (const [name, text] of Object.entries(message.code || {})) if (editors[name] && !editors[name].timer) editors[name].set(text);
    for (const [name, marks] of Object.entries(message.marks || {})) if (editors[name] && !editors[name].timer) editors[name].mark(marks);
    for (const part of el.querySelectorAll(".dk-scroll")) if (part.scrollWidth > part.clientWidth) part.tabIndex = 0;
    for (const mark of el.querySelectorAll(".dk-panel pre mark, .dk-panel pre ins")) showMistake(mark);
    if (message.running !== undefined) setRunning(message.running);
    if (message.say) say(message.say);
    if (message.completions && editors[message.completions.name]) {
      const { name, before, word, items } = message.completions;
      editors[name].offer(before, word, items);
    }
    if (message.save) saveFile(message.save);
  }
  const listen = message => take(message);
  model.on("msg:custom", listen);
  findEditors();
  send({ do: "hello" });
  return () => model.off("msg:custom", listen);
}

export default { render };
