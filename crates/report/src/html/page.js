// Buttons that copy inputs, the slider of inputs, the flame graph, and closed parts opened for the printer.
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
  // One slider goes through the inputs, instead of a row for each.
  const slider = document.querySelector(".slider");
  const inputs = [...document.querySelectorAll("details.input")];
  const choose = (index) => {
    inputs.forEach((part, i) => { part.hidden = i !== index; part.open = i === index; });
    slider.querySelector("output").textContent = inputs[index].id.slice("input-".length);
    slider.querySelector("input").value = index;
  };
  if (slider) {
    slider.hidden = false;
    slider.querySelector("input").addEventListener("input", (event) => choose(Number(event.target.value)));
    choose(inputs.length - 1);
  }
  // A link to what is closed opens it.
  const open = () => {
    const part = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!part) return;
    if (slider && inputs.includes(part)) choose(inputs.indexOf(part));
    if (part.tagName === "DETAILS") part.open = true;
    const first = part.querySelector(":scope > details:first-of-type");
    if (first && !part.querySelector(":scope > details[open]")) first.open = true;
  };
  addEventListener("hashchange", open);
  open();
  // A bar of the flame graph fills the width when clicked, and what is in it grows with it.
  const flame = document.querySelector("svg.flame");
  if (flame) {
    const bars = [...flame.querySelectorAll(".bar-of")];
    let chosen = null;
    const zoom = (bar) => {
      chosen = chosen === bar ? null : bar;
      const from = chosen ? Number(chosen.dataset.from) : 0;
      const part = chosen ? Number(chosen.dataset.part) : 100;
      for (const each of bars) {
        const begin = Math.max(0, ((Number(each.dataset.from) - from) / part) * 100);
        const end = Math.min(100, ((Number(each.dataset.from) + Number(each.dataset.part) - from) / part) * 100);
        each.setAttribute("x", `${begin}%`);
        each.setAttribute("width", `${Math.max(0, end - begin)}%`);
        each.style.display = end - begin > 0.0001 ? "" : "none";
        each.classList.toggle("chosen", each === chosen);
      }
    };
    for (const bar of bars) {
      bar.addEventListener("click", () => zoom(bar));
      bar.addEventListener("keydown", (event) => { if (event.key === "Enter") zoom(bar); });
    }
  }
  let opened = [];
  addEventListener("beforeprint", () => {
    opened = [...document.querySelectorAll("details:not([open])")];
    for (const part of opened) part.open = true;
  });
  addEventListener("afterprint", () => {
    for (const part of opened) part.open = false;
  });
})();
