"use strict";
(() => {
  const { at, make, ask, alarm, save, copy, state, remember } = Page;
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  const chosen = new Map();            // address -> entry
  let told = null, shown = 0, sort = "written", descending = true;

  // The list ------------------------------------------------------------------------------------

  const asked = (more = {}) => ({ words: at("words").value, kind: at("kind").value, identity: at("identity").value,
    since: at("since").value, sort, descending, ...more });

  let asking = 0;
  async function list(more = {}) {
    const mine = ++asking;
    try {
      const answer = await ask("list", asked({ offset: 0, ...more }));
      if (mine !== asking) return;
      alarm("");
      told = answer;
      at("out").textContent = told.out;
      choices(at("kind"), told.kinds, "all kinds");
      choices(at("identity"), told.ids, "all");
      if (!more.offset) { head(); at("entries").tBodies[0].replaceChildren(); shown = 0; }
      at("entries").tBodies[0].append(...told.entries.map(row));
      shown += told.entries.length;
      at("found").textContent = `${told.found} of ${told.total} entries`;
      at("more").hidden = shown >= told.found;
      where();
    } catch (error) { alarm(error.sentence || String(error)); }
  }
  function choices(select, counts, all) {
    const value = select.value;
    select.replaceChildren(make("option", { value: "" }, all),
      ...Object.entries(counts).map(([name, count]) => make("option", { value: name }, `${name} (${count})`)));
    if (value && !(value in counts)) select.append(make("option", { value }, `${value} (0)`));
    select.value = value;
  }
  const columns = () => [["id", "id"], ...told.fields.slice(0, 8).map((name) => [name, name]), ["seeds", "seeds"], ["written", "written"]];
  function head() {
    const cells = columns().map(([name, text]) => {
      const on = sort === name;
      const button = make("button", { type: "button" }, `${text.replaceAll("_", "-")}${on ? (descending ? " ↓" : " ↑") : ""}`);
      button.addEventListener("click", () => { descending = on ? !descending : name === "written"; sort = name; list(); });
      return make("th", { scope: "col", "aria-sort": on ? (descending ? "descending" : "ascending") : "none" }, button);
    });
    at("entries").tHead.replaceChildren(make("tr", {}, make("td", {}), ...cells));
  }
  function row(entry) {
    const box = make("input", { type: "checkbox", checked: chosen.has(entry.address), "aria-label": `Choose ${entry.id} ${entry.key}` });
    const cells = columns().map(([name]) => make("td", {}, name === "id" ? entry.id : name === "written" ? entry.written
      : name === "seeds" ? `${entry.seeds || "–"}${entry.partial ? " (partial)" : ""}` : entry.fields[name] ?? "–"));
    const line = make("tr", { className: box.checked ? "on" : "", "data-address": entry.address, title: `${entry.kind} ${entry.address}` }, make("td", {}, box), ...cells);
    box.addEventListener("change", () => {
      if (box.checked) chosen.set(entry.address, entry); else chosen.delete(entry.address);
      line.classList.toggle("on", box.checked);
      pick();
    });
    return line;
  }

  // What is chosen -------------------------------------------------------------------------------

  const runs = () => [...chosen.keys()];
  function where() {
    const parameters = new URLSearchParams();
    for (const id of ["words", "kind", "identity", "since"]) if (at(id).value) parameters.set(id, at(id).value);
    for (const address of chosen.keys()) parameters.append("run", address);
    for (const id of ["quantity", "over", "by"]) if (chosen.size && at(id).value) parameters.set(id, at(id).value);
    for (const id of ["log-x", "log-y"]) if (at(id).checked) parameters.set(id, "yes");
    remember(parameters);
  }
  const option = (value, text, title = "") => make("option", { value, title }, text);
  function keep(select, options, fallback) {
    const value = select.value;
    select.replaceChildren(...options);
    const values = options.map((each) => each.value);
    select.value = values.includes(value) ? value : values.includes(fallback) ? fallback : values[0] ?? "";
  }
  let about = null, picking = null, studying = null;
  function pick() {
    clearTimeout(picking);
    at("chosen").hidden = chosen.size === 0;
    at("count").textContent = `${chosen.size} ${chosen.size === 1 ? "entry" : "entries"}`;
    where();
    const entries = [...chosen.values()];
    const drawable = chosen.size > 0 && entries.every((entry) => (entry.kind === "run" && entry.seeds > 0) || entry.kind === "sweep");
    at("drawing").hidden = !drawable;
    at("cannot").hidden = drawable;
    if (drawable) picking = setTimeout(() => { studying = study(); }, 200);   // several boxes in a row are one question
  }
  async function study() {
    if (at("picture").hidden) at("busy").textContent = "Drawing …";
    try {
      about = await ask("about", { runs: runs() });
      const varied = about.fields.filter((name) => new Set(about.runs.map((run) => run.config[name])).size > 1);
      keep(at("over"), [option("step", "step"), ...varied.map((name) => option(name, name.replaceAll("_", "-")))], "step");
      keep(at("by"), [option("", "nothing: each run"), ...about.fields.map((name) => option(name, name.replaceAll("_", "-")))], "");
      offer();
      await draw();
    } catch (error) { alarm(error.sentence || String(error)); }
    at("busy").textContent = "";
  }
  function offer() {
    const names = at("over").value === "step" ? Object.entries(about.recorded) : about.summaries.map((name) => [name, ""]);
    keep(at("quantity"), names.map(([name, meaning]) => option(name, name.replaceAll("_", " "), meaning)), "test_accuracy");
  }
  const wanted = () => ({ runs: runs(), quantity: at("quantity").value, over: at("over").value, by: at("by").value ? [at("by").value] : [],
    log_x: at("log-x").checked, log_y: at("log-y").checked });

  let drawings = 0;
  const short = (v) => (v === null || v === undefined ? "–" : String(Number(Number(v).toPrecision(4))));
  async function draw() {
    const mine = ++drawings;
    where();
    at("image").classList.add("old");
    try {
      const found = await ask("picture", { ...wanted(), dark: dark.matches, narrow: innerWidth < 600 });
      if (mine !== drawings) return;
      alarm("");
      at("image").src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(found.svg)}`;
      at("image").alt = `${found.title}. ${found.caption} The numbers stand below.`;
      at("image").classList.remove("old");
      at("caption").textContent = `${found.title}. ${found.caption}`;
      at("x-name").textContent = at("over").value;
      at("numbers").tBodies[0].replaceChildren(...found.rows.map(([name, ...values]) => make("tr", {}, make("td", {}, name), ...values.map((v) => make("td", {}, short(v))))));
      at("left-out").textContent = found.left_out ? `${found.left_out} more are in the CSV file.` : "";
      at("python").textContent = found.python;
      at("picture").hidden = false;
      await compare();
    } catch (error) { if (mine === drawings) { at("picture").hidden = true; alarm(error.sentence || String(error)); } }
  }
  async function compare() {
    at("compared").hidden = true;
    const by = wanted().by, values = by.length ? new Set(about.runs.map((run) => run.config[by[0]])) : chosen;
    if (values.size < 2) return;
    const { rows } = await ask("compare", { runs: runs(), by });
    at("compared").querySelector("tbody").replaceChildren(...rows.map((each) => {
      const clear = each.ci && (each.ci[0] > 0 || each.ci[1] < 0);
      const gap = make(clear ? "b" : "span", {}, short(each.difference));
      return make("tr", {}, make("td", {}, each.quantity.replaceAll("_", " ")), make("td", {}, each.group), make("td", {}, short(each.b)),
        make("td", {}, short(each.a)), make("td", {}, gap), make("td", {}, each.ci ? `${short(each.ci[0])} to ${short(each.ci[1])}` : "one seed"));
    }));
    at("compared").hidden = rows.length === 0;
  }
  async function take(format) {
    try {
      const file = await ask("export", { ...wanted(), format });
      save(file.name, new Blob([Uint8Array.from(atob(file.content), (letter) => letter.charCodeAt(0))], { type: file.type }));
    } catch (error) { alarm(error.sentence || String(error)); }
  }

  // Deleting -------------------------------------------------------------------------------------

  async function confirm() {
    try {
      const found = await ask("delete", { runs: runs() });
      const many = found.going.length;
      const stay = found.needed.length ? ` ${found.needed.length} stay, because other entries rest on them.` : "";
      at("sure-told").textContent = `${many} ${many === 1 ? "entry" : "entries"} (${(found.bytes / 1e6).toFixed(1)} MB) will be gone.${stay}`;
      at("really").disabled = many === 0;
      at("sure").showModal();
    } catch (error) { alarm(error.sentence || String(error)); }
  }
  async function really() {
    at("sure").close();
    clearTimeout(picking);
    await studying;   // nothing is drawn of what is being deleted
    try {
      const found = await ask("delete", { runs: runs(), sure: true });
      for (const address of found.deleted) chosen.delete(address);
      await list();
      pick();
    } catch (error) { alarm(error.sentence || String(error)); }
  }

  // The beginning --------------------------------------------------------------------------------

  async function begin() {
    const before = state();
    for (const id of ["words", "since"]) at(id).value = before.get(id) || "";
    for (const id of ["kind", "identity"]) {
      const value = before.get(id) ?? (id === "kind" ? "run" : "");
      at(id).append(make("option", { value }, value));
      at(id).value = value;
    }
    for (const id of ["log-x", "log-y"]) at(id).checked = before.get(id) === "yes";
    await list({ chosen: before.getAll("run") });
    if (!told) return;                  // the alarm says why
    for (const entry of told.chosen) chosen.set(entry.address, entry);
    if (chosen.size) {
      for (const id of ["quantity", "over", "by"]) { at(id).append(option(before.get(id) || "", "")); at(id).value = before.get(id) || ""; }
      for (const line of at("entries").tBodies[0].rows) { const on = chosen.has(line.dataset.address); line.classList.toggle("on", on); line.querySelector("input").checked = on; }
      pick();
    }
    let timer = null;
    const soon = () => { clearTimeout(timer); timer = setTimeout(() => list(), 150); };
    at("words").addEventListener("input", soon);
    for (const id of ["kind", "identity", "since"]) at(id).addEventListener("change", () => list());
    at("filters").addEventListener("submit", (event) => event.preventDefault());
    at("look").addEventListener("click", () => list({ look: true }));
    at("more").addEventListener("click", () => list({ offset: shown }));
    at("none").addEventListener("click", () => { chosen.clear(); list(); pick(); });
    at("over").addEventListener("change", () => { offer(); draw(); });
    for (const id of ["quantity", "by", "log-x", "log-y"]) at(id).addEventListener("change", draw);
    document.querySelectorAll("[data-export]").forEach((button) => button.addEventListener("click", () => take(button.dataset.export)));
    at("copy").addEventListener("click", () => copy(at("python").textContent, at("copied")));
    at("delete").addEventListener("click", confirm);
    at("keep").addEventListener("click", () => at("sure").close());
    at("really").addEventListener("click", really);
    dark.addEventListener("change", () => { if (!at("picture").hidden) draw(); });
  }
  begin().catch((error) => alarm(error.sentence || String(error)));
})();
