"use strict";
// Search, filters and deep links. The address says it all: #place?printed=FAILS&row=lower&q=words
(() => {
  const form = document.getElementById("find");
  const words = document.getElementById("words");
  const found = document.getElementById("found");
  const everything = document.getElementById("everything");
  const boxes = [...form.querySelectorAll("input[type=checkbox]")];
  const units = [...document.querySelectorAll("[data-unit]")];
  const names = [...new Set(boxes.map((box) => box.name))]; // readings of statements, and rows
  const groups = { statement: names.filter((name) => name !== "row"), row: ["row"], item: [] };
  const kinds = { item: "items", statement: "statements", row: "rows" };
  form.hidden = false;

  const texts = new Map();
  function text(unit) {
    if (!texts.has(unit)) {
      const copy = unit.cloneNode(true);
      copy.querySelectorAll("script, .js-plotly-plot").forEach((part) => part.remove());
      texts.set(unit, copy.textContent.toLowerCase());
    }
    return texts.get(unit);
  }

  function apply() {
    const asked = words.value.toLowerCase().split(/\s+/).filter(Boolean);
    const on = {}; // of each group that is narrowed, the words that are left
    for (const name of names) {
      const mine = boxes.filter((box) => box.name === name);
      if (mine.some((box) => !box.checked)) on[name] = mine.filter((box) => box.checked).map((box) => box.value);
    }
    const seen = { item: 0, statement: 0, row: 0 };
    const all = { item: 0, statement: 0, row: 0 };
    for (const unit of units) {
      const kind = unit.dataset.unit;
      const out = groups[kind].some((name) => name in on && !on[name].includes(unit.dataset[name]));
      unit.hidden = out || !asked.every((word) => text(unit).includes(word));
      all[kind] += 1;
      seen[kind] += unit.hidden ? 0 : 1;
    }
    const narrowed = asked.length > 0 || Object.keys(on).length > 0;
    document.querySelectorAll(".group").forEach((group) => { group.hidden = !group.querySelector("[data-unit]:not([hidden])"); });
    document.querySelectorAll(".paper").forEach((paper) => { paper.hidden = asked.length > 0 && !paper.querySelector("[data-unit]:not([hidden])"); });
    document.querySelectorAll(".overview, .closing").forEach((part) => { part.hidden = asked.length > 0; });
    const told = Object.keys(all).filter((kind) => all[kind]).map((kind) => `${seen[kind]} of ${all[kind]} ${kinds[kind]}`);
    if (asked.length || "row" in on) document.querySelectorAll(".all-rows").forEach((each) => { each.open = true; });
    found.textContent = narrowed ? told.join(", ") : "";
    everything.hidden = !narrowed;
  }

  function address() {
    const parts = [];
    for (const group of names) {
      const mine = boxes.filter((box) => box.name === group);
      const on = mine.filter((box) => box.checked);
      if (on.length < mine.length) parts.push(`${group}=${on.map((box) => encodeURIComponent(box.value)).join(",")}`);
    }
    if (words.value.trim()) parts.push(`q=${encodeURIComponent(words.value.trim())}`);
    return parts.length ? `#?${parts.join("&")}` : "#";
  }
  function changed() {
    apply();
    history.replaceState(null, "", address());
  }
  function clear() {
    words.value = "";
    boxes.forEach((box) => { box.checked = true; });
  }

  // What the address asks for: the filters it names, then the place, which is shown in any case.
  function follow() {
    const [place, query] = decodeURIComponent(location.hash.slice(1)).split(/\?(.*)/s);
    if (query !== undefined) {
      const asked = new URLSearchParams(location.hash.slice(location.hash.indexOf("?") + 1));
      clear();
      words.value = asked.get("q") || "";
      for (const box of boxes) {
        if (asked.has(box.name)) box.checked = asked.get(box.name).split(",").includes(box.value);
      }
    }
    apply();
    document.querySelectorAll(".sought").forEach((each) => each.classList.remove("sought"));
    const target = place && document.getElementById(place);
    if (!target) return;
    if (target.closest("[hidden]")) { clear(); apply(); }
    for (let part = target.parentElement; part; part = part.parentElement) if (part.matches("details")) part.open = true;
    target.querySelector(":scope > details")?.setAttribute("open", "");
    if (target.matches("[data-unit], figure")) target.classList.add("sought");
    target.scrollIntoView();
  }

  form.addEventListener("input", changed);
  form.addEventListener("submit", (event) => event.preventDefault());
  everything.addEventListener("click", () => { clear(); changed(); words.focus(); });
  window.addEventListener("hashchange", follow);
  document.addEventListener("keydown", (event) => {
    const typing = event.target.matches("input, textarea, select") && event.target.type !== "checkbox";
    if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      words.focus();
    } else if (event.key === "Escape" && event.target === words) {
      words.value = "";
      changed();
    }
  });
  follow();
})();
