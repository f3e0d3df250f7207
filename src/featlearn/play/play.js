"use strict";
(() => {
  const { at, make, ask, alarm, save, copy } = Page;
  const MOST = 400, TRAIL = 25;
  const catalogue = new Map();
  let session = { state: "none" };   // what the server said last
  let frames = [], last = 0, seen = null;
  let applied = "";                  // the values of the session, to tell when a knob was turned
  let wrong = false, busy = false;
  let beside = null;                 // an earlier run, to be seen beside this one

  // Knobs ---------------------------------------------------------------------------------------

  const fields = () => [...document.querySelectorAll("[data-knob]")];
  const text = (input) => (input.type === "checkbox" ? String(input.checked) : input.value);
  function values() {
    return Object.fromEntries(fields().map((input) => [input.dataset.knob, text(input)]));
  }
  const asked = () => ({ id: at("experiment").value, values: values() });

  function control(knob) {
    const name = { id: `knob-${knob.name}`, "data-knob": knob.name, "aria-describedby": `help-${knob.name}` };
    if (knob.kind === "choice") {
      const options = knob.options.map((option) => make("option", { value: option, selected: option === knob.text }, option));
      return make("select", name, ...options);
    }
    if (knob.kind === "switch") return make("input", { ...name, type: "checkbox", checked: knob.text === "true" });
    const mode = { integer: "numeric", number: "decimal" }[knob.kind] || "text";
    return make("input", { ...name, type: "text", inputMode: mode, value: knob.text, spellcheck: false });
  }

  // A slider from an eighth of the usual value to eight times it.
  function slider(knob, input) {
    const usual = Number(knob.text);
    if (!knob.first || !(usual > 0) || !["integer", "number"].includes(knob.kind)) return null;
    const whole = knob.kind === "integer", even = whole && usual % 2 === 0;
    const range = make("input", { type: "range", min: -3, max: 3, step: 0.125, value: 0, tabIndex: -1, "aria-hidden": "true" });
    range.addEventListener("input", () => {
      const exact = Number((usual * 2 ** range.value).toPrecision(3));
      input.value = Number(range.value) === 0 ? knob.text
        : String(even ? Math.max(2, 2 * Math.round(exact / 2)) : whole ? Math.max(1, Math.round(exact)) : exact);
      turned();
    });
    input.addEventListener("input", () => { range.value = Math.log2(Number(input.value) / usual) || 0; });
    return range;
  }

  function field(knob) {
    const input = control(knob), range = slider(knob, input);
    input.addEventListener("input", turned);
    const label = make("label", { htmlFor: input.id }, knob.name.replaceAll("_", "-"));
    return make("div", { className: "field", id: `field-${knob.name}` },
      make("div", { className: "line" }, label, input), ...(range ? [range] : []),
      make("p", { className: "help", id: `help-${knob.name}` }, knob.help),
      make("p", { className: "sentence", hidden: true, role: "alert" }));
  }

  // Put texts into knobs; those that are not named keep theirs.
  function turn(texts) {
    for (const input of fields()) {
      const value = texts[input.dataset.knob];
      if (value === undefined) continue;
      if (input.type === "checkbox") input.checked = value === "true"; else input.value = value;
      input.dispatchEvent(new Event("input"));
    }
  }
  // A page that is opened while a session stands shows that session's knobs.
  function adopt(told) {
    if (!told.values || !catalogue.has(told.id)) return;
    at("experiment").value = told.id;
    choose();
    turn(told.values);
    applied = JSON.stringify(asked());
  }

  // The address says it all but the token: experiment, turned knobs, seed, step.
  function place() {
    const usual = new Map(catalogue.get(at("experiment").value).knobs.map((knob) => [knob.name, knob.text]));
    const parameters = new URLSearchParams({ experiment: at("experiment").value });
    for (const [name, value] of Object.entries(values())) if (value !== usual.get(name)) parameters.set(name, value);
    if (session.step > 0 && !changed()) parameters.set("step", session.step);
    return parameters;
  }
  let noted = 0, later = null;
  function note() {                    // a browser lets a page rewrite its address only so often
    clearTimeout(later);
    const wait = noted + 500 - Date.now();
    if (wait > 0) { later = setTimeout(note, wait); return; }
    noted = Date.now();
    Page.remember(place());
  }
  // What a link asks for: its knobs, and training up to its step.
  async function follow(parameters, standing) {
    const step = Number(parameters.get("step")) || 0;
    if (!catalogue.has(parameters.get("experiment"))) { alarm(`This playground has no experiment ${parameters.get("experiment")}.`); return; }
    at("experiment").value = parameters.get("experiment");
    choose();
    turn(Object.fromEntries(parameters));
    const same = standing.values && standing.id === at("experiment").value && Object.entries(values()).every(([name, value]) => standing.values[name] === value);
    if (same && standing.step >= step) { applied = JSON.stringify(asked()); return; }
    if (step > 0) await act("reset", ["go", { step }]);
  }

  function choose() {
    const experiment = catalogue.get(at("experiment").value);
    at("title").textContent = experiment.title;
    at("first").replaceChildren(...experiment.knobs.filter((knob) => knob.first).map(field));
    at("more").replaceChildren(...experiment.knobs.filter((knob) => !knob.first).map(field));
    at("presets").hidden = experiment.presets.length === 0;
    at("preset").replaceChildren(make("option", { value: "" }, "choose …"), ...experiment.presets.map((each, i) => make("option", { value: i }, each.title)));
    at("watch").textContent = "";
    turned();
  }

  function preset() {
    const experiment = catalogue.get(at("experiment").value), chosen = experiment.presets[at("preset").value];
    turn(Object.fromEntries(experiment.knobs.map((knob) => [knob.name, knob.text])));
    if (chosen) turn(chosen.values);
    at("watch").textContent = chosen ? chosen.watch : "";
  }

  let timer = null, checks = 0;      // an answer that came too late is not shown
  function turned() {
    clearTimeout(timer);
    timer = setTimeout(check, 150);
    show();
  }
  async function check() {
    const usual = new Map(catalogue.get(at("experiment").value).knobs.map((knob) => [knob.name, knob.text]));
    for (const input of fields()) at(`field-${input.dataset.knob}`).classList.toggle("turned", text(input) !== usual.get(input.dataset.knob));
    const mine = ++checks;
    try {
      const told = await ask("check", asked());
      if (mine !== checks) return;
      if (!told.error) at("command").textContent = told.command;
      at("about").replaceChildren(...told.about.map((line) => make("li", {}, line)));
      at("about").hidden = !told.about.length;
      tell(told.error);
    } catch (error) { tell(error); }
  }
  // The sentence beside the knob that it is about, or above all.
  function tell(error) {
    wrong = Boolean(error);
    for (const input of fields()) {
      const mine = Boolean(error) && error.field === input.dataset.knob;
      const place = at(`field-${input.dataset.knob}`).querySelector(".sentence");
      place.textContent = mine ? error.sentence : "";
      place.hidden = !mine;
      if (mine) { input.setAttribute("aria-invalid", "true"); if (input.closest("details")) input.closest("details").open = true; }
      else input.removeAttribute("aria-invalid");
    }
    alarm(error && !error.field ? error.sentence : "");
    show();
  }

  // Training ------------------------------------------------------------------------------------

  const changed = () => JSON.stringify(asked()) !== applied;
  const begun = () => !["none", "ready"].includes(session.state);

  async function act(...questions) {
    if (busy) return;
    busy = true;
    clearTimeout(timer);
    checks++;
    show();
    try {
      for (const question of questions) {
        const [name, content] = [question].flat();
        if (name === "reset") await reset();
        else take(await ask(name, content));
      }
    } catch (error) { tell(error); }
    busy = false;
    show();
    look();
  }
  async function reset() {
    const wanted = asked();
    const told = await ask("reset", wanted);
    applied = JSON.stringify(wanted);
    at("command").textContent = told.command;
    tell(null);
    forget();
    take(told);
    if (at("pace").value.trim()) await pace();
  }
  function forget() {
    frames = [];
    last = 0;
    seen = null;
    for (const panel of document.querySelectorAll("#panels figure")) panel.hidden = true;
    at("summary").hidden = true;
  }
  // What has to happen before a session can go on: none yet, one that has ended, or other knobs.
  const fresh = () => session.state === "none" || ["finished", "failed"].includes(session.state) || (session.state === "ready" && changed());

  function start() {
    if (["running", "compiling"].includes(session.state)) act("pause");
    else act(...(fresh() ? ["reset", "start"] : ["start"]));
  }
  async function pace() {
    const steps = at("pace").value.trim();
    if (!steps || session.state === "none") return;
    try {
      await ask("pace", { steps: /^[0-9]+$/.test(steps) ? Number(steps) : steps });
      at("pace").removeAttribute("aria-invalid");
      alarm("");
    } catch (error) { at("pace").setAttribute("aria-invalid", "true"); alarm(error.sentence); }
  }

  // Take what the server says; one that speaks of another session than ours is begun anew.
  function take(told) {
    if (told.last !== undefined && told.last < last) forget();
    session = told;
    if (told.frames && told.frames.length) {
      frames.push(...told.frames);
      last = told.last;
      while (frames.length > MOST) frames = frames.filter((_, i) => i % 2 === 0 || i === frames.length - 1);
    }
    if (told.view && !seen) layOut(told.view);
    if (told.summary) sumUp(told.summary);
    show();
    draw();
  }

  let waiting = null;
  async function look() {
    clearTimeout(waiting);
    let pause = 1500;
    try {
      take(await ask("state", { after: last }));
      if (["running", "compiling"].includes(session.state)) pause = 80;
    } catch (error) { alarm(error.sentence); }
    waiting = setTimeout(look, pause);
  }

  function show() {
    const running = ["running", "compiling"].includes(session.state);
    const stale = begun() && changed();
    at("start").textContent = running ? "Pause" : session.state === "paused" ? "Go on" : "Start";
    at("start").disabled = busy || (wrong && fresh());
    at("step").disabled = busy || (wrong && fresh()) || running || ["finished", "failed"].includes(session.state);
    at("reset").disabled = busy || wrong || session.state === "none";
    at("reset").classList.toggle("wanted", stale && !wrong);
    const words = { none: "ready", compiling: "compiling…" };
    const state = busy && !running ? "preparing…" : words[session.state] || session.state;
    at("state").textContent = state;
    at("state").className = `badge ${busy && !running ? "compiling" : session.state}`;
    at("where").textContent = session.steps ? `step ${session.step} of ${session.steps}` : "";
    at("progress").value = session.steps ? session.step / session.steps : 0;
    if (session.pace && document.activeElement !== at("pace")) at("pace").placeholder = session.pace;
    const latest = frames.length ? frames[frames.length - 1] : null;
    const broken = latest && Object.entries(latest.curves).some(([name, v]) => v === null && name.endsWith("loss"));
    const sentence = session.error || (stale ? "A knob was turned: Reset takes it over." : broken ? "The loss is no longer a number: try a smaller eta." : "");
    at("note").textContent = sentence;
    at("note").hidden = !sentence;
    for (const id of ["keep", "as-image", "as-animation"]) at(id).disabled = frames.length === 0;
    if (catalogue.size) note();
  }

  function sumUp(summary) {
    const rows = Object.entries(summary).map(([name, value]) =>
      make("div", {}, make("dt", {}, name), make("dd", {}, value === null ? "not reached" : Draw.number(value))));
    at("summary").querySelector("dl").replaceChildren(...rows);
    at("summary").hidden = false;
  }

  // Pictures ------------------------------------------------------------------------------------

  function options(select, columns, chosen) {
    select.replaceChildren(...columns.map((column) => make("option", { value: column.key, title: column.meaning, selected: column.key === chosen }, column.label)));
  }
  function layOut(view) {
    seen = view;
    for (const panel of document.querySelectorAll("#panels figure[data-panel]")) panel.remove();
    const neurons = view.columns.length > 0;
    at("plane").hidden = !neurons || view.columns.length < 2;
    at("strands").hidden = !neurons;
    if (neurons) {
      options(at("across"), view.columns, view.axes[0]);
      options(at("up"), view.columns, view.axes[1]);
      options(at("strand"), view.columns, view.share);
    }
    const main = view.panels.filter((panel) => panel.main), others = view.panels.filter((panel) => !panel.main);
    main.forEach((panel, i) => at("panels").append(figure(panel, [panel], `main-${i}`)));
    if (others.length) at("panels").append(figure(others[0], others, "other"));
  }
  function figure(panel, choices, name) {
    const box = make("figure", { id: `panel-${name}`, "data-panel": name }, make("h3", {}, choices.length > 1 ? "More" : panel.title));
    if (choices.length > 1) {
      const select = make("select", { "aria-label": "Quantity" }, ...choices.map((each, i) => make("option", { value: i }, each.title)));
      select.addEventListener("change", () => { box.panel = choices[select.value]; legend(box); draw(); });
      box.append(make("div", { className: "choices" }, select));
    }
    box.append(make("canvas", { role: "img" }), make("ul", { className: "legend" }), make("p", { className: "foretold byline" }));
    box.panel = panel;
    legend(box);
    return box;
  }
  function legend(box) {
    box.querySelector(".legend").replaceChildren(...box.panel.curves.map((curve) =>
      make("li", { title: curve.meaning }, make("canvas", { "data-role": curve.role, "aria-hidden": "true" }), `${curve.label} `, make("b", { "data-value": curve.key }, "–"))));
  }

  function roles(frame, view) {
    const signs = view.sign && frame.neurons[view.sign];
    const many = Object.values(frame.neurons)[0].length;
    return Array.from({ length: many }, (_, j) => (!signs ? "plain" : signs[j] < 0 ? "negative" : "positive"));
  }
  const meaning = (key) => (seen.columns.find((column) => column.key === key) || {}).meaning || "";
  const label = (key) => (seen.columns.find((column) => column.key === key) || {}).label || key;
  function caption(box, sentence) {
    const some = seen.shown < seen.width ? ` ${seen.shown} of ${seen.width} neurons are shown.` : "";
    const signs = seen.sign ? " Blue: a ≥ 0; vermilion: a < 0." : "";
    box.querySelector("figcaption").textContent = sentence + signs + some;
    box.querySelector("canvas").setAttribute("aria-label", sentence);
  }

  let drawing = false;
  function draw() {
    if (drawing || !seen || !frames.length) return;
    drawing = true;
    requestAnimationFrame(() => { drawing = false; if (seen && frames.length) paint(); });
  }
  // One run on its canvases: this one's, or those of the run beside it.
  function paintRun(run, canvasOf) {
    const { frames: own, seen: view, steps: total, predicted } = run;
    const steps = own.map((frame) => frame.step), latest = own[own.length - 1], log = at("log").checked;
    for (const box of document.querySelectorAll("#panels figure[data-panel]")) {
      const panel = view.panels.find((each) => each.title === box.panel.title), canvas = canvasOf(box);
      if (!panel || !canvas) continue;
      const list = panel.curves.map((curve) => ({ role: curve.role, values: own.map((frame) => frame.curves[curve.key]) }));
      const keys = panel.curves.map((curve) => curve.key);
      Draw.curves(canvas, steps, list, total, log, panel.title === "Accuracy" ? [0, 1.03] : null, predicted.filter((each) => keys.includes(each.key)));
      const said = panel.curves.map((curve) => `${curve.label} ${Draw.number(latest.curves[curve.key])}`).join(", ");
      canvas.setAttribute("aria-label", `${panel.title} at step ${latest.step}: ${said}`);
    }
    if (!view.columns.length) return;
    const known = (key) => view.columns.some((column) => column.key === key);
    const [across, up, strand] = ["across", "up", "strand"].map((id) => at(id).value);
    if (!at("plane").hidden && known(across) && known(up)) {
      const trail = own.slice(-TRAIL).map((frame) => [frame.neurons[across], frame.neurons[up]]);
      Draw.cloud(canvasOf(at("plane")), trail, roles(latest, view), [label(across), label(up)]);
    }
    if (known(strand)) Draw.strands(canvasOf(at("strands")), steps, own.map((frame) => frame.neurons[strand]), roles(latest, view), total, log, predicted.filter((each) => each.key === strand));
  }
  const here = () => ({ frames, seen, steps: session.steps, predicted: session.predicted || [] });
  function paint() {
    const latest = frames[frames.length - 1], predicted = session.predicted || [];
    paintRun(here(), (box) => box.querySelector("canvas[role=img]:not(.beside)"));
    for (const box of document.querySelectorAll("#panels figure[data-panel]")) {
      for (const place of box.querySelectorAll("[data-value]")) place.textContent = Draw.number(latest.curves[place.dataset.value]);
      for (const key of box.querySelectorAll("[data-role]")) Draw.key(key, key.dataset.role);
      const told = predicted.find((each) => box.panel.curves.some((curve) => curve.key === each.key));
      box.querySelector(".foretold").textContent = told ? `Dashed: ${told.label}.` : "";
    }
    if (seen.columns.length) {
      const [across, up, strand] = ["across", "up", "strand"].map((id) => at(id).value);
      if (!at("plane").hidden) caption(at("plane"), `Across: ${meaning(across)}. Up: ${meaning(up)}.`);
      const told = predicted.find((each) => each.key === strand);
      caption(at("strands"), `${label(strand)}: ${meaning(strand)}.${told ? ` Dashed: ${told.label}.` : ""}`);
    }
    if (beside) paintRun(beside, second);
  }

  // The canvas of the earlier run, made when there is one.
  function second(box) {
    const first = box.querySelector("canvas[role=img]:not(.beside)");
    let canvas = box.querySelector("canvas.beside");
    if (!canvas) { canvas = make("canvas", { className: "beside", role: "img" }); first.after(canvas); }
    return canvas;
  }
  function keep() {
    beside = { ...here(), frames: [...frames] };
    beside.told = `${session.command}   step ${session.step}`;
    at("beside-told").textContent = `Beside each picture, on a narrow page below it: ${beside.told}.`;
    at("beside").hidden = false;
    at("panels").classList.add("two");
    draw();
  }
  function drop() {
    beside = null;
    at("beside").hidden = true;
    at("panels").classList.remove("two");
    document.querySelectorAll("canvas.beside").forEach((canvas) => canvas.remove());
    draw();
  }

  // Pictures to take away -------------------------------------------------------------------------

  const name = () => `${session.id}-seed-${session.values.seed}-step-${session.step}`;
  async function asImage() {
    const figures = [...document.querySelectorAll("#panels figure:not([hidden])")];
    save(`${name()}.png`, await Take.image([`${session.command}   step ${session.step}`, ...(beside ? [beside.told] : [])], figures));
  }
  async function asAnimation() {
    at("taken").textContent = "Drawing …";
    const some = frames.filter((_, i) => i % Math.ceil(frames.length / 60) === 0 || i === frames.length - 1);
    const [across, up] = ["across", "up"].map((id) => at(id).value), plane = !at("plane").hidden;
    const every = some.map((frame) => [frame.neurons[across], frame.neurons[up]]);
    const panel = seen.panels[0];
    const file = await Take.animation(some.length, 640, 480, (canvas, i) => {
      if (plane) Draw.cloud(canvas, every.slice(Math.max(0, i - 8), i + 1), roles(some[i], seen), [`${label(across)}, up ${label(up)}, step ${some[i].step}`], every);
      else Draw.curves(canvas, some.slice(0, i + 1).map((frame) => frame.step), panel.curves.map((curve) => ({ role: curve.role, values: some.slice(0, i + 1).map((frame) => frame.curves[curve.key]) })), session.steps, at("log").checked, null);
    });
    save(`${name()}.apng`, file);
    at("taken").textContent = `${some.length} pictures, ${(file.size / 1e6).toFixed(1)} MB.`;
  }
  async function asNotebook() {
    try {
      const file = await ask("notebook", asked());
      save(file.name, new Blob([file.content], { type: "application/x-ipynb+json" }));
    } catch (error) { tell(error); }
  }

  // Sharing, and the beginning ------------------------------------------------------------------

  async function begin() {
    const told = await ask("catalogue");
    Draw.dress(told);
    for (const group of told.groups) {
      const options = group.experiments.map((each) => { catalogue.set(each.id, each); return make("option", { value: each.id }, each.id); });
      at("experiment").append(make("optgroup", { label: group.title }, ...options));
    }
    if (told.chosen) at("experiment").value = told.chosen;
    const link = Page.state(), standing = await ask("state", { after: 0 });
    choose();
    adopt(standing);
    at("experiment").addEventListener("change", choose);
    at("preset").addEventListener("change", preset);
    at("keep").addEventListener("click", keep);
    at("drop").addEventListener("click", drop);
    at("as-image").addEventListener("click", asImage);
    at("as-animation").addEventListener("click", asAnimation);
    at("as-notebook").addEventListener("click", asNotebook);
    at("link").addEventListener("click", () => copy(`${location.origin}/?${place()}`, at("copied")));
    at("knobs").addEventListener("submit", (event) => event.preventDefault());
    at("start").addEventListener("click", start);
    at("step").addEventListener("click", () => act(...(fresh() ? ["reset", "step"] : ["step"])));
    at("reset").addEventListener("click", () => act("reset"));
    at("pace").addEventListener("change", pace);
    at("copy").addEventListener("click", () => copy(at("command").textContent, at("copied")));
    for (const id of ["log", "across", "up", "strand"]) at(id).addEventListener("change", draw);
    addEventListener("resize", draw);
    Draw.dark.addEventListener("change", draw);
    if (link.has("experiment")) await follow(link, standing);
    look();
  }
  begin().catch((error) => alarm(error.sentence || String(error)));
})();
