// Buttons that copy inputs, and closed parts opened for the printer.
"use strict";
(() => {
  const copy = async (pre) => {
    try {
      await navigator.clipboard.writeText(pre.textContent);
      return true;
    } catch {
      // Files opened from disk may have no clipboard; a selection can still be copied.
      const range = document.createRange();
      range.selectNodeContents(pre);
      const selection = getSelection();
      selection.removeAllRanges();
      selection.addRange(range);
      return document.execCommand("copy");
    }
  };
  for (const holder of document.querySelectorAll(".copy")) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = "copy";
    button.addEventListener("click", async () => {
      button.textContent = (await copy(holder.querySelector("pre"))) ? "copied" : "selected";
      setTimeout(() => { button.textContent = "copy"; }, 2000);
    });
    holder.prepend(button);
  }
  // A link to an input opens it.
  const open = () => {
    const part = location.hash.startsWith("#input-") && document.getElementById(location.hash.slice(1));
    if (part) part.open = true;
  };
  addEventListener("hashchange", open);
  open();
  let opened = [];
  addEventListener("beforeprint", () => {
    opened = [...document.querySelectorAll("details:not([open])")];
    for (const part of opened) part.open = true;
  });
  addEventListener("afterprint", () => {
    for (const part of opened) part.open = false;
  });
})();
