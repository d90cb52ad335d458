// Draws cost against size from the data in the page. Everything shown is set as text.
"use strict";
(() => {
  const holder = document.getElementById("plot");
  const source = document.getElementById("plot-data");
  if (!holder || !source) return;
  const data = JSON.parse(source.textContent);
  const section = document.getElementById("growth");
  const svg = holder.querySelector("svg");
  const tip = document.getElementById("tip");
  const tools = section.querySelector(".tools");
  const reset = tools.querySelector("[data-reset]");
  const largest = Math.max(...data.worst.map((p) => p.x));
  const state = { log: false, ahead: false, view: null, focus: -1 };
  let frame = null; // where the last drawing put things

  tools.hidden = false;
  section.querySelector(".hint").hidden = false;

  const make = (parent, name, attributes, text) => {
    const element = document.createElementNS(svg.namespaceURI, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    if (text !== undefined) element.textContent = text;
    parent.append(element);
    return element;
  };
  const scale = (value) => (state.log ? Math.log10(value) : value);
  const usable = (p) => !state.log || (p.x > 0 && p.y > 0);
  const line = () => data.law.filter((p) => usable(p) && (state.ahead || p.x <= largest));
  const compact = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 2 });
  const label = (value) => (Math.abs(value) >= 1e5 ? compact.format(value) : value.toLocaleString("en"));

  // All there is to see, or all between two sizes, with a little room around it.
  const whole = (from = -Infinity, to = Infinity) => {
    const points = [...data.worst, ...data.average, ...line()].filter((p) => usable(p) && p.x >= from && p.x <= to);
    if (points.length === 0) return { x0: 0, x1: 1, y0: 0, y1: 1 };
    const xs = points.map((p) => scale(p.x));
    const ys = points.flatMap((p) => [p.y, p.high ?? p.y]).filter((y) => !state.log || y > 0).map(scale);
    const box = { x0: Math.min(...xs), x1: Math.max(...xs), y0: Math.min(...ys), y1: Math.max(...ys) };
    if (!state.log) box.y0 = Math.min(0, box.y0);
    const dx = (box.x1 - box.x0) * 0.04 || (state.log ? 0.3 : 1);
    const dy = (box.y1 - box.y0) * 0.06 || (state.log ? 0.3 : 1);
    return { x0: box.x0 - dx, x1: box.x1 + dx, y0: state.log || box.y0 < 0 ? box.y0 - dy : 0, y1: box.y1 + dy };
  };

  const ticks = (from, to, most, integers) => {
    const out = [];
    if (state.log) {
      const decades = to - from;
      const steps = decades > 2.5 ? [1] : decades > 1.2 ? [1, 3] : [1, 2, 3, 5, 7];
      const every = Math.max(1, Math.ceil(decades / most));
      for (let e = Math.floor(from); e <= Math.ceil(to); e += every)
        for (const step of steps) {
          const at = Math.log10(step) + e;
          if (at >= from && at <= to && (!integers || e >= 0)) out.push([at, step * 10 ** e]);
        }
      return out;
    }
    const rough = (to - from) / most;
    const power = 10 ** Math.floor(Math.log10(rough));
    let step = [1, 2, 5, 10].map((s) => s * power).find((s) => s >= rough) || 10 * power;
    if (integers) step = Math.max(1, Math.round(step));
    for (let i = Math.ceil(from / step); i * step <= to && out.length < 50; i++) out.push([i * step, i * step + 0]); // + 0: no "-0"
    return out;
  };

  // Between two points a law is drawn as the power of n that goes through both: it is curved as the law is.
  const curve = (points, of) => {
    const out = [];
    points.forEach((p, i) => {
      const q = points[i + 1];
      out.push([p.x, of(p)]);
      if (!q || !(p.x > 0 && of(p) > 0 && of(q) > 0 && q.x > p.x)) return;
      const power = Math.log(of(q) / of(p)) / Math.log(q.x / p.x);
      for (let k = 1; k < 12; k++) {
        const x = p.x + ((q.x - p.x) * k) / 12;
        out.push([x, of(p) * (x / p.x) ** power]);
      }
    });
    return out;
  };

  const SHAPES = {
    exact: "M-4.5 0a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0 -9 0Z",
    validated: "M0 -6L6 0L0 6L-6 0Z",
    challenged: "M0 -6L5 -3V3L0 6L-5 3V-3Z",
    "best-found": "M0 -5.5L6 5H-6Z",
    average: "M-3.5 -3.5H3.5V3.5H-3.5Z",
    law: "M-4 0H4M0 -4V4",
  };

  const draw = () => {
    const width = Math.max(280, holder.clientWidth);
    const height = Math.round(Math.min(440, Math.max(260, width * 0.5)));
    const view = state.view || whole();
    const left = 64, right = 12, top = 14, bottom = 44;
    const X = (x) => left + ((scale(x) - view.x0) / (view.x1 - view.x0)) * (width - left - right);
    const Y = (y) => height - bottom - ((scale(y) - view.y0) / (view.y1 - view.y0)) * (height - top - bottom);
    frame = { width, height, left, right, top, bottom, view, hits: [] };
    svg.replaceChildren();
    svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    const clip = make(make(svg, "defs", {}), "clipPath", { id: "inside" });
    make(clip, "rect", { x: left, y: top, width: width - left - right, height: height - top - bottom });

    for (const [at, value] of ticks(view.x0, view.x1, width / 80, true)) {
      const x = left + ((at - view.x0) / (view.x1 - view.x0)) * (width - left - right);
      make(svg, "line", { class: "grid", x1: x, x2: x, y1: top, y2: height - bottom });
      make(svg, "text", { x, y: height - bottom + 18, "text-anchor": "middle" }, label(value));
    }
    for (const [at, value] of ticks(view.y0, view.y1, height / 50, false)) {
      const y = height - bottom - ((at - view.y0) / (view.y1 - view.y0)) * (height - top - bottom);
      make(svg, "line", { class: "grid", x1: left, x2: width - right, y1: y, y2: y });
      make(svg, "text", { x: left - 8, y: y + 4, "text-anchor": "end" }, label(value));
    }
    make(svg, "path", { class: "axis", d: `M${left} ${top}V${height - bottom}H${width - right}` });
    make(svg, "text", { class: "title", x: (left + width - right) / 2, y: height - 6, "text-anchor": "middle" }, "size n");
    make(svg, "text", { class: "title", x: 4, y: 10 }, data.cost.length > 60 ? "cost" : data.cost);

    const body = make(svg, "g", { "clip-path": "url(#inside)" });
    const path = (points) => points.map(([x, y], i) => `${i ? "L" : "M"}${X(x).toFixed(1)} ${Y(y).toFixed(1)}`).join("");
    const positive = (y) => !state.log || y > 0;
    const law = line();
    const banded = law.filter((p) => p.low != null && p.high != null && positive(p.low));
    if (banded.length > 1) {
      const edge = curve(banded, (p) => p.low).reverse();
      make(body, "path", { class: "band", d: `${path(curve(banded, (p) => p.high))}${path(edge).replace("M", "L")}Z` });
    }
    if (law.length > 1) make(body, "path", { class: "law", d: path(curve(law, (p) => p.y)) });
    const worst = data.worst.filter(usable);
    const average = data.average.filter(usable);
    if (law.length < 2) make(body, "path", { class: "joined", d: path(worst.map((p) => [p.x, p.y])) });
    make(body, "path", { class: "joined average", d: path(average.map((p) => [p.x, p.y])) });
    for (const p of average)
      if (positive(p.low)) make(body, "path", { class: "joined spread", d: `M${X(p.x)} ${Y(p.low)}V${Y(p.high)}` });

    const put = (p, kind) => {
      const [x, y] = [X(p.x), Y(p.y)];
      const inside = x >= left - 1 && x <= width - right + 1 && y >= top - 1 && y <= height - bottom + 1;
      if (!inside) return;
      make(svg, "path", { class: `point ${kind}`, d: SHAPES[kind], transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})` });
      frame.hits.push({ x, y, p, worst: kind !== "average" && kind !== "law" });
    };
    for (const p of law) if (p.x > largest) put(p, "law");
    for (const p of average) put(p, "average");
    for (const p of worst) put(p, SHAPES[p.kind] ? p.kind : "best-found");
    const hidden = data.worst.length + data.average.length - worst.length - average.length;
    if (hidden > 0)
      make(svg, "text", { x: width - right, y: 10, "text-anchor": "end" }, `${hidden} points at 0 are not on this scale`);
    reset.disabled = state.view === null;
  };

  const show = (hit) => {
    if (!hit) {
      tip.hidden = true;
      return;
    }
    tip.replaceChildren(...hit.p.text.map((text) => {
      const row = document.createElement("div");
      row.textContent = text;
      return row;
    }));
    tip.hidden = false;
    const ratio = svg.getBoundingClientRect().width / frame.width;
    const x = Math.min(hit.x * ratio + 12, holder.clientWidth - tip.offsetWidth - 2);
    tip.style.left = `${Math.max(0, x)}px`;
    const above = hit.y * ratio - tip.offsetHeight - 10;
    tip.style.top = `${above < 0 ? hit.y * ratio + 14 : above}px`;
  };
  const place = (event) => {
    const box = svg.getBoundingClientRect();
    const ratio = frame.width / box.width;
    return { x: (event.clientX - box.left) * ratio, y: (event.clientY - box.top) * ratio };
  };
  const nearest = (at) => {
    let best = null, least = 30 * 30;
    for (const hit of frame.hits) {
      const distance = (hit.x - at.x) ** 2 + (hit.y - at.y) ** 2;
      if (distance <= least) [best, least] = [hit, distance];
    }
    return best;
  };

  let drag = null;
  const clampX = (x) => Math.min(frame.width - frame.right, Math.max(frame.left, x));
  const clampY = (y) => Math.min(frame.height - frame.bottom, Math.max(frame.top, y));
  svg.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    const at = place(event);
    drag = { from: { x: clampX(at.x), y: clampY(at.y) }, box: null };
    svg.setPointerCapture(event.pointerId);
    show(nearest(at));
  });
  svg.addEventListener("pointermove", (event) => {
    const at = place(event);
    if (!drag) {
      show(nearest(at));
      return;
    }
    const to = { x: clampX(at.x), y: clampY(at.y) };
    if (Math.abs(to.x - drag.from.x) < 6) return;
    show(null);
    // A drag that is nearly level means sizes only.
    const level = Math.abs(to.y - drag.from.y) < 24;
    drag.box ||= make(svg, "rect", { class: "zoom" });
    drag.area = {
      level,
      x0: Math.min(to.x, drag.from.x), x1: Math.max(to.x, drag.from.x),
      y0: level ? frame.top : Math.min(to.y, drag.from.y),
      y1: level ? frame.height - frame.bottom : Math.max(to.y, drag.from.y),
    };
    const { x0, x1, y0, y1 } = drag.area;
    for (const [key, value] of Object.entries({ x: x0, y: y0, width: x1 - x0, height: y1 - y0 }))
      drag.box.setAttribute(key, value);
  });
  svg.addEventListener("pointerup", () => {
    const area = drag?.area;
    drag = null;
    if (!area || area.x1 - area.x0 < 8) return draw();
    const { view, left, right, top, bottom, width, height } = frame;
    const x = (px) => view.x0 + ((px - left) / (width - left - right)) * (view.x1 - view.x0);
    const y = (py) => view.y0 + ((height - bottom - py) / (height - top - bottom)) * (view.y1 - view.y0);
    const next = { x0: x(area.x0), x1: x(area.x1), y0: y(area.y1), y1: y(area.y0) };
    const size = (at) => (state.log ? 10 ** at : at);
    if (area.level && data.worst.some((p) => usable(p) && p.x >= size(next.x0) && p.x <= size(next.x1))) {
      const { y0, y1 } = whole(size(next.x0), size(next.x1));
      Object.assign(next, { y0, y1 });
    }
    const enough = (a, b) => b - a > 1e-9 * Math.max(1, Math.abs(a), Math.abs(b));
    if (enough(next.x0, next.x1) && enough(next.y0, next.y1)) state.view = next;
    draw();
  });
  svg.addEventListener("pointercancel", () => { drag = null; draw(); });
  svg.addEventListener("pointerleave", () => { if (!drag) show(null); });
  const all = () => { state.view = null; show(null); draw(); };
  svg.addEventListener("dblclick", all);
  // Nearer to the middle, or further away, but never beyond all there is.
  const zoom = (factor) => {
    const [box, most] = [state.view || whole(), whole()];
    const next = {};
    for (const [low, high] of [["x0", "x1"], ["y0", "y1"]]) {
      const [middle, half] = [(box[low] + box[high]) / 2, ((box[high] - box[low]) / 2) * factor];
      next[low] = Math.max(most[low], middle - half);
      next[high] = Math.min(most[high], middle + half);
    }
    const same = ["x0", "x1", "y0", "y1"].every((edge) => next[edge] === most[edge]);
    state.view = same ? null : next;
    show(null);
    draw();
  };
  for (const button of tools.querySelectorAll("[data-zoom]"))
    button.addEventListener("click", () => zoom(Number(button.dataset.zoom)));
  reset.addEventListener("click", all);
  svg.addEventListener("keydown", (event) => {
    if (event.key === "Escape") return all();
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const hits = frame.hits.filter((hit) => hit.worst);
    if (!step || hits.length === 0) return;
    event.preventDefault();
    state.focus = Math.min(hits.length - 1, Math.max(0, state.focus + step));
    show(hits[state.focus]);
  });
  svg.addEventListener("blur", () => { state.focus = -1; show(null); });
  for (const button of tools.querySelectorAll("[data-scale]"))
    button.addEventListener("click", () => {
      state.log = button.dataset.scale === "log";
      for (const other of tools.querySelectorAll("[data-scale]")) other.setAttribute("aria-pressed", other === button);
      all();
    });
  tools.querySelector("[data-ahead]")?.addEventListener("click", (event) => {
    state.ahead = !state.ahead;
    event.currentTarget.setAttribute("aria-pressed", state.ahead);
    all();
  });
  let drawnFor = 0;
  new ResizeObserver(() => {
    if (holder.clientWidth === drawnFor) return;
    drawnFor = holder.clientWidth;
    draw();
  }).observe(holder);
  draw();
})();
