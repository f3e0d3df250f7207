"use strict";
(() => {
  const read = (id) => JSON.parse(document.getElementById(id).textContent);
  const figures = read("figures-data");
  const themes = read("themes-data");
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  const config = { responsive: true, displaylogo: false, displayModeBar: "hover",
    modeBarButtonsToRemove: ["select2d", "lasso2d", "autoScale2d"],
    toImageButtonOptions: { format: "svg" } };

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
    const theme = themes[dark.matches ? "dark" : "light"];
    return [painted(data, theme), painted(layout, theme)];
  }

  const drawn = new Set();
  function draw(element) {
    const figure = figures[element.dataset.figure];
    const slider = element.querySelector("input[type=range]");
    const place = slider ? Number(slider.value) : 0;
    element.querySelectorAll(".panel").forEach((panel, i) => {
      Plotly.react(panel, ...state(figure.panels[i], place), config);
    });
    drawn.add(element);
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
  function save(name, text) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }

  // A figure is drawn when it comes near the window.
  const near = new IntersectionObserver((entries) => {
    for (const entry of entries) {
      if (entry.isIntersecting) { near.unobserve(entry.target); draw(entry.target); }
    }
  }, { rootMargin: "600px" });
  document.querySelectorAll("figure[data-figure]").forEach((element) => {
    near.observe(element);
    const key = element.dataset.figure;
    element.querySelector(".csv").addEventListener("click", () => save(`${key}.csv`, rows(figures[key])));
    const slider = element.querySelector("input[type=range]");
    if (!slider) return;
    slider.addEventListener("input", () => {
      element.querySelector("output").textContent = figures[key].frames[slider.value];
      draw(element);
    });
    const button = element.querySelector(".play");
    button.addEventListener("click", () => play(element, button, slider));
  });
  dark.addEventListener("change", () => drawn.forEach(draw));

  document.querySelectorAll("input[data-filter]").forEach((box) => box.addEventListener("change", () => {
    document.querySelectorAll(`tr[data-outcome="${box.dataset.filter}"]`).forEach((row) => { row.hidden = !box.checked; });
  }));
})();
