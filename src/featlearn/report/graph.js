"use strict";
// The graph of a paper's proofs: another reading's verdicts, one node with all that is tied to it, zoom.
(() => {
  const SIGNS = { firm: "✓✓ firm", holds: "✓ holds", fails: "✗ fails", "out-of-scope": "∅ out of scope", open: "? open", none: "– none", step: "not checked" };
  for (const box of document.querySelectorAll(".graph-box")) {
    const view = box.querySelector(".graph-view"), svg = view.querySelector("svg");
    const nodes = new Map([...svg.querySelectorAll("[data-node]")].map((node) => [node.dataset.node, node]));
    const ways = [...svg.querySelectorAll(".way")];
    const around = box.querySelector(".graph-around"), reading = box.querySelector(".graph-reading");
    const [wide] = [svg.viewBox.baseVal.width];
    let scale = 1;

    // All nodes that can be reached along the arrows, or against them.
    function reached(name, from, to) {
      const found = new Set(), ahead = [name];
      while (ahead.length) {
        const here = ahead.pop();
        for (const way of ways) {
          if (way.dataset[from] === here && !found.has(way.dataset[to])) { found.add(way.dataset[to]); ahead.push(way.dataset[to]); }
        }
      }
      return found;
    }
    function tie(name) {
      const kept = name ? new Set([name, ...reached(name, "from", "to"), ...reached(name, "to", "from")]) : null;
      for (const [each, node] of nodes) {
        node.classList.toggle("apart", Boolean(kept) && !kept.has(each));
        node.classList.toggle("middle", each === name);
      }
      for (const way of ways) {
        const on = !kept || (kept.has(way.dataset.from) && kept.has(way.dataset.to));
        way.classList.toggle("apart", !on);
        way.classList.toggle("tied", Boolean(kept) && on);
      }
    }
    function zoom(to) {
      scale = Math.min(3, Math.max(0.2, to));
      svg.setAttribute("width", wide * scale);
      svg.setAttribute("height", svg.viewBox.baseVal.height * scale);
    }
    const fit = () => zoom(Math.min(1, (view.clientWidth - 2) / wide));

    reading.addEventListener("change", () => {
      for (const node of nodes.values()) {
        const look = node.dataset[reading.value];
        node.setAttribute("class", `node ${look}`);
        node.querySelector(".sign").textContent = SIGNS[look];
      }
      tie(around.value);
    });
    around.addEventListener("change", () => tie(around.value));
    for (const [name, node] of nodes) {
      node.addEventListener("focus", () => tie(name));
      node.addEventListener("mouseenter", () => tie(name));
      node.addEventListener("blur", () => tie(around.value));
      node.addEventListener("mouseleave", () => tie(around.value));
    }
    const act = { in: () => zoom(scale * 1.25), out: () => zoom(scale / 1.25), fit };
    box.querySelectorAll("[data-zoom]").forEach((button) => button.addEventListener("click", act[button.dataset.zoom]));
    view.addEventListener("keydown", (event) => {
      const verb = { "+": "in", "=": "in", "-": "out", 0: "fit" }[event.key];
      if (!verb || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      act[verb]();
    });
    view.addEventListener("wheel", (event) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      zoom(scale * (event.deltaY < 0 ? 1.1 : 1 / 1.1));
    }, { passive: false });
    // On a narrow page a graph that fits would be too small to read: it scrolls instead.
    zoom(Math.min(1, Math.max(0.75, (view.clientWidth - 2) / wide)));
    // It begins with the highest node, which nothing rests on.
    const highest = [...nodes.values()].map((node) => node.transform.baseVal[0].matrix).sort((a, b) => a.f - b.f)[0];
    if (highest) view.scrollLeft = highest.e * scale - view.clientWidth / 2;
  }
})();
