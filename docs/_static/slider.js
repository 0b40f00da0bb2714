"use strict";
// A cell with the tag "slider" prints one line for each of its plots. A slider shows one line and its plot at a time.
for (const output of document.querySelectorAll(".cell.tag_slider > .cell_output")) {
  const [printed, ...plots] = output.children;
  const lines = printed.textContent.trim().split("\n");
  if (plots.length < 2 || plots.length !== lines.length) continue;
  const slider = Object.assign(document.createElement("input"), { type: "range", min: 0, max: plots.length - 1 });
  slider.value = Math.floor(plots.length / 2);
  slider.id = `slider-${document.querySelectorAll(".slider").length}`;
  const name = Object.assign(document.createElement("label"), { htmlFor: slider.id });
  const row = Object.assign(document.createElement("p"), { className: "slider" });
  row.append(slider, name);
  const show = () => {
    name.textContent = lines[slider.value];
    slider.setAttribute("aria-valuetext", lines[slider.value]);
    plots.forEach((plot, number) => { plot.hidden = number !== Number(slider.value); });
  };
  slider.addEventListener("input", show);
  printed.replaceWith(row);
  show();
}
