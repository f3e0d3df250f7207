"use strict";
// Figures: unpacked and drawn when they come near the window, in the colours of the reader's scheme.
(() => {
  const themes = JSON.parse(document.getElementById("themes-data").textContent);
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  // On paper a figure has the width of the paper, whatever becomes of the window.
  const config = () => ({ responsive: !printing, displayModeBar: false });
  const bytes = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const inflated = (text) => new Response(new Blob([bytes(text)]).stream().pipeThrough(new DecompressionStream("deflate")));
  const known = new Map();
  function read(element) {
    const unpack = async () => (await inflated(element.querySelector("[data-packed=figure]").textContent)).json();
    if (!known.has(element)) known.set(element, unpack());
    return known.get(element);
  }

  // plotly.js is packed as well, and read with the first figure.
  let loaded = null;
  async function load() {
    const script = document.createElement("script");
    script.textContent = await (await inflated(document.getElementById("plotly").textContent)).text();
    document.head.append(script);
  }
  const plotly = () => (loaded ??= load());

  // "@role" or "@role/opacity" becomes the colour of the reader's scheme.
  function colour(name, theme) {
    const [role, opacity] = name.slice(1).split("/");
    const hex = theme[role];
    if (opacity === undefined) return hex;
    const part = (i) => parseInt(hex.slice(i, i + 2), 16);
    return `rgba(${part(1)},${part(3)},${part(5)},${opacity})`;
  }
  function painted(value, theme, key = "") {
    if (typeof value === "string") return /color$/.test(key) && value[0] === "@" ? colour(value, theme) : value;
    if (Array.isArray(value)) return typeof value[0] === "number" ? value : value.map((each) => painted(each, theme));
    if (value === null || typeof value !== "object") return value;
    return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, painted(v, theme, k)]));
  }

  // What a panel shows at a place of the slider: its fixed traces, and those of the frame.
  function state(panel, place) {
    const frame = panel.frames[place];
    const data = panel.data.slice();
    const layout = { ...panel.layout };
    if (frame) {
      frame.traces.forEach((at, i) => { data[at] = frame.data[i]; });
      for (const [axis, changes] of Object.entries(frame.layout || {})) layout[axis] = { ...layout[axis], ...changes };
    }
    if (printing) layout.height *= 0.75;
    const theme = themes[dark.matches && !printing ? "dark" : "light"];
    return [painted(data, theme), painted(layout, theme)];
  }

  const drawn = new Map();             // figure -> whether it was drawn for paper
  let printing = false;                // paper is white, whatever the scheme
  async function draw(element) {
    await plotly();
    const onPaper = printing;
    const packed = element.matches(".thumb") ? document.getElementById(element.dataset.figure) : element;
    const figure = await read(packed);
    if (!element.getClientRects().length) return near.observe(element);   // hidden meanwhile: when it is seen again
    if (element.matches(".thumb")) {
      thumbnail(element, figure);
    } else {
      const slider = element.querySelector("input[type=range]");
      const place = slider ? Number(slider.value) : 0;
      element.querySelectorAll(".panel").forEach((panel, i) => {
        const [data, layout] = state(figure.panels[i], place);
        Plotly.react(panel, data, { ...layout, ...panel.room }, config());
        makeRoom(panel, layout);
      });
    }
    drawn.set(element, onPaper);
  }

  // A legend that would cover the axis, or has several rows, gets the room that it needs below the axis.
  function makeRoom(panel, base) {
    const box = (name) => panel.querySelector(name)?.getBoundingClientRect();
    const legend = box(".legend"), title = box(".g-xtitle");
    if (!legend || !title) return;
    const seen = `${legend.height} ${panel.clientWidth} ${base.height}`;
    if (panel.roomFor === seen || (!panel.room && legend.height < 32 && legend.top > title.bottom)) return;
    panel.roomFor = seen;
    const { t, h } = panel._fullLayout._size;
    const axis = title.bottom - panel.getBoundingClientRect().top - t - h + 6;
    const plot = base.height - base.margin.t - 76;
    panel.room = {
      height: base.margin.t + plot + axis + legend.height,
      margin: { ...base.margin, b: axis + legend.height },
      legend: { ...base.legend, y: -axis / plot },
    };
    Plotly.react(panel, panel.data, { ...base, ...panel.room }, config());
  }

  // The last panel of the headline, at its last frame, without axes or words.
  function thumbnail(element, figure) {
    const panel = figure.panels.at(-1);
    const [data, layout] = state(panel, panel.frames.length - 1);
    const bare = (axis) => ({ ...axis, showticklabels: false, title: "", ticks: "", showgrid: false });
    Plotly.react(element, data.map((trace) => ({ ...trace, showscale: false })), {
      ...layout, height: element.clientHeight, margin: { l: 1, r: 1, t: 1, b: 1 }, showlegend: false,
      annotations: [], title: "", xaxis: bare(layout.xaxis), yaxis: bare(layout.yaxis),
    }, { staticPlot: true, responsive: !printing });
  }

  function play(element, button, slider) {
    if (button.timer) {
      clearInterval(button.timer);
      button.timer = null;
    } else {
      if (slider.value === slider.max) slider.value = 0;
      button.timer = setInterval(() => {
        if (slider.value === slider.max) return play(element, button, slider);
        slider.stepUp();
        slider.dispatchEvent(new Event("input"));
      }, 120);
    }
    button.textContent = button.timer ? "❚❚" : "▶";
    button.setAttribute("aria-label", button.timer ? "Pause" : "Play");
  }

  // The numbers behind a figure, a row a point; bands are in the customdata of their line.
  function rows(figure) {
    const cell = (v) => (v === null || v === undefined ? "" : /[",\n]/.test(v) ? `"${String(v).replace(/"/g, '""')}"` : v);
    const lines = ["panel,frame,series,x,y,low,high"];
    const add = (panel, frame, trace) => {
      if (trace.hoverinfo === "skip" || trace.type === "heatmap") return;
      trace.x.forEach((x, i) => {
        const [low, high] = trace.customdata ? trace.customdata[i] : [null, null];
        lines.push([panel, frame, trace.legendgroup, x, trace.y[i], low, high].map(cell).join(","));
      });
    };
    figure.panels.forEach((panel, i) => {
      const moving = new Set(panel.frames.flatMap((frame) => frame.traces));
      panel.data.forEach((trace, at) => { if (!moving.has(at)) add(i, "", trace); });
      panel.frames.forEach((frame) => frame.data.forEach((trace) => add(i, frame.name, trace)));
    });
    return lines.join("\n") + "\n";
  }

  function save(name, blob) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(blob);
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }
  const kinds = { pdf: "application/pdf", svg: "image/svg+xml" };
  async function saved(element, ending) {
    if (ending === "csv") return new Blob([rows(await read(element))], { type: "text/csv" });
    const file = await inflated(element.querySelector(`[data-packed=${ending}]`).textContent);
    return new Blob([await file.blob()], { type: kinds[ending] });
  }

  const near = new IntersectionObserver((entries) => {
    for (const entry of entries) {
      if (entry.isIntersecting) { near.unobserve(entry.target); draw(entry.target); }
    }
  }, { rootMargin: "600px" });
  document.querySelectorAll("figure, .thumb").forEach((element) => near.observe(element));
  document.querySelectorAll("figure").forEach((element) => {
    element.querySelectorAll("[data-save]").forEach((button) => button.addEventListener("click", async () => {
      const ending = button.dataset.save;
      save(`${element.id}.${ending}`, await saved(element, ending));
    }));
    const slider = element.querySelector("input[type=range]");
    if (!slider) return;
    slider.addEventListener("input", async () => {
      const name = (await read(element)).frames[slider.value];
      element.querySelector("output").textContent = name;
      slider.setAttribute("aria-valuetext", name);
      draw(element);
    });
    const button = element.querySelector(".play");
    button.addEventListener("click", () => play(element, button, slider));
  });
  document.querySelectorAll("[data-table]").forEach((button) => button.addEventListener("click", () => {
    const text = decodeURIComponent(button.parentElement.querySelector("script").textContent);
    save(`${button.dataset.table}.csv`, new Blob([text], { type: "text/csv" }));
  }));
  const again = () => [...drawn.keys()].forEach(draw);
  dark.addEventListener("change", again);

  // On paper everything is open; figures must be drawn before the page is printed.
  const print = document.getElementById("print");
  print.hidden = false;
  function unfold() {
    printing = true;
    document.documentElement.classList.add("on-paper");
    document.querySelectorAll("details").forEach((each) => { each.open = true; });
    return Promise.all([...drawn].filter(([, onPaper]) => !onPaper).map(([element]) => draw(element)));
  }
  window.addEventListener("beforeprint", unfold);
  window.addEventListener("afterprint", () => {
    printing = false;
    document.documentElement.classList.remove("on-paper");
    again();
  });
  print.addEventListener("click", async () => {
    print.disabled = true;
    print.textContent = "Drawing …";
    await unfold();
    for (const element of document.querySelectorAll("figure, .thumb")) if (!drawn.get(element)) await draw(element);
    print.disabled = false;
    print.textContent = "Print, with all figures";
    window.print();
  });
})();
