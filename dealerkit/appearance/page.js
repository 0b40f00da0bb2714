// A wide table or text can be scrolled with the keyboard.
for (const part of document.querySelectorAll(".dk-scroll, pre")) {
  if (part.scrollWidth > part.clientWidth) part.tabIndex = 0;
}
// The call that gives the result again, with its import.
for (const call of document.querySelectorAll("dd.dk-call")) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "dk-button";
  button.textContent = "Copy the call";
  button.setAttribute("aria-live", "polite");
  button.addEventListener("click", async () => {
    await copyText("import dealerkit as dk\n\nresult = " + call.textContent.trim() + "\nresult\n");
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = "Copy the call"; }, 2000);
  });
  call.closest("details").before(button);
}
// A link to a closed part opens it.
function openTarget() {
  const part = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const fold = part && part.closest("details");
  if (fold) { fold.open = true; part.scrollIntoView(); }
}
addEventListener("hashchange", openTarget);
openTarget();
