"use strict";
// Curves and clouds on a canvas. Colours come from the same roles as the figures of the report.
const Draw = (() => {
  const DASHES = { solid: [], dashed: [7, 3], dotted: [2, 3], dashdot: [8, 3, 2, 3] };
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  let themes = null, dashes = {};
  const colours = () => themes[dark.matches ? "dark" : "light"];
  const known = (v) => typeof v === "number";

  function number(v) {
    if (!known(v)) return "–";
    if (v !== 0 && (Math.abs(v) < 1e-3 || Math.abs(v) >= 1e5)) return v.toExponential(1).replace("e+", "e");
    return String(Number(v.toPrecision(3)));
  }

  // About five round values from low to high.
  function ticks(low, high) {
    const raw = (high - low) / 5;
    const power = 10 ** Math.floor(Math.log10(raw));
    const unit = [1, 2, 5, 10].find((m) => m * power >= raw) * power;
    const found = [];
    for (let i = Math.ceil(low / unit - 1e-9); i * unit <= high + unit * 1e-9; i++) found.push(i * unit);
    return found;
  }
  function timeTicks(high, log) {
    if (!log) return ticks(0, high).filter((t) => Number.isInteger(t));
    const found = [0];
    for (let t = 1; t <= high; t *= 10) found.push(t);
    return found;
  }

  // The smallest range with all values in it, a little wider; never empty.
  function range(values, least = []) {
    let low = Infinity, high = -Infinity;
    for (const v of values) if (known(v)) { if (v < low) low = v; if (v > high) high = v; }
    for (const v of least) { low = Math.min(low, v); high = Math.max(high, v); }
    if (low > high) return [0, 1];
    const room = (high - low) * 0.04 || Math.abs(high) * 0.1 || 1;
    return [low - room, high + room];
  }

  // A canvas of the size it is shown in, its axes drawn; gives the two scales.
  function frame(canvas, x, y, names, xTicks, xOf = (v) => v) {
    const box = canvas.box || canvas.getBoundingClientRect(), ratio = canvas.box ? 1 : window.devicePixelRatio || 1;
    const wide = Math.max(50, box.width), high = Math.max(50, box.height);
    canvas.width = Math.round(wide * ratio);
    canvas.height = Math.round(high * ratio);
    const pen = canvas.getContext("2d"), theme = colours();
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.font = "12px system-ui, sans-serif";
    const up = ticks(y[0], y[1]);
    const left = 14 + Math.max(...up.map((v) => pen.measureText(number(v)).width)), foot = names[0] ? 34 : 20;
    const area = { left, top: 8, right: wide - 10, bottom: high - foot };
    const [x0, x1] = [xOf(x[0]), xOf(x[1])];
    const X = (v) => area.left + (xOf(v) - x0) / (x1 - x0) * (area.right - area.left);
    const Y = (v) => area.bottom - (v - y[0]) / (y[1] - y[0]) * (area.bottom - area.top);
    pen.strokeStyle = theme.faint;
    pen.fillStyle = theme.ink;
    pen.lineWidth = 1;
    pen.textAlign = "right";
    pen.textBaseline = "middle";
    for (const v of up) {
      pen.beginPath(); pen.moveTo(area.left, Y(v)); pen.lineTo(area.right, Y(v)); pen.stroke();
      pen.fillText(number(v), area.left - 6, Y(v));
    }
    pen.textAlign = "center";
    pen.textBaseline = "top";
    let free = -Infinity;
    for (const v of xTicks) {
      const text = number(v), half = pen.measureText(text).width / 2;
      if (X(v) - half < free || X(v) > area.right + 1) continue;
      pen.beginPath(); pen.moveTo(X(v), area.top); pen.lineTo(X(v), area.bottom); pen.stroke();
      pen.fillText(text, Math.min(X(v), wide - half - 1), area.bottom + 5);
      free = X(v) + half + 8;
    }
    if (names[0]) pen.fillText(names[0], (area.left + area.right) / 2, high - 14);
    return { pen, X, Y, area, theme };
  }

  function line(pen, xs, ys, X, Y) {
    let down = false;
    pen.beginPath();
    for (let i = 0; i < xs.length; i++) {
      if (!known(ys[i])) { down = false; continue; }
      if (down) pen.lineTo(X(xs[i]), Y(ys[i])); else pen.moveTo(X(xs[i]), Y(ys[i]));
      down = true;
    }
    pen.stroke();
    const last = xs.length - 1;
    if (last === 0 && known(ys[0])) { pen.beginPath(); pen.arc(X(xs[0]), Y(ys[0]), 2.5, 0, 7); pen.fill(); }
  }

  function look(pen, role, theme) {
    pen.strokeStyle = pen.fillStyle = theme[role];
    pen.setLineDash(DASHES[dashes[role]] || []);
  }

  // What a paper predicts: thin dashes over what was measured, within the axes that are there.
  function foretold({ pen, X, Y, area, theme }, list) {
    pen.save();
    pen.beginPath();
    pen.rect(area.left, area.top, area.right - area.left, area.bottom - area.top);
    pen.clip();
    pen.strokeStyle = pen.fillStyle = theme.paper;
    pen.lineWidth = 1.8;
    pen.setLineDash([5, 4]);
    for (const each of list) line(pen, each.steps, each.values, X, Y);
    pen.restore();
  }

  // curves: [{role, values}], all over the same steps.
  function curves(canvas, steps, list, total, log, fixed, predicted = []) {
    const x = [0, Math.max(1, total)], y = fixed || range(list.flatMap((each) => each.values));
    const axes = frame(canvas, x, y, ["step"], timeTicks(total, log), log ? Math.log1p : undefined);
    const { pen, X, Y, theme } = axes;
    pen.lineWidth = 2;
    for (const each of list) { look(pen, each.role, theme); line(pen, steps, each.values, X, Y); }
    pen.setLineDash([]);
    foretold(axes, predicted);
  }

  // A thread a neuron.
  function strands(canvas, steps, rows, roles, total, log, predicted = []) {
    const x = [0, Math.max(1, total)], y = range(rows.flat());
    const axes = frame(canvas, x, y, ["step"], timeTicks(total, log), log ? Math.log1p : undefined);
    const { pen, X, Y, theme } = axes;
    const many = rows.length ? rows[0].length : 0;
    pen.lineWidth = 1;
    pen.globalAlpha = many > 60 ? 0.3 : 0.6;
    for (let j = 0; j < many; j++) {
      pen.strokeStyle = pen.fillStyle = theme[roles[j]];
      line(pen, steps, rows.map((row) => row[j]), X, Y);
    }
    pen.globalAlpha = 1;
    foretold(axes, predicted);
  }

  // A point a neuron, with the way that it has come.
  function cloud(canvas, trail, roles, names, everything = trail) {
    const xs = everything.flatMap((frame) => frame[0]), ys = everything.flatMap((frame) => frame[1]);
    const x = range(xs, [0]), y = range(ys, [0]);
    const { pen, X, Y, theme } = frame(canvas, x, y, [names[0]], ticks(x[0], x[1]));
    const last = trail[trail.length - 1];
    pen.strokeStyle = theme.ink;
    pen.globalAlpha = 0.35;
    pen.beginPath();
    pen.moveTo(X(0), Y(y[0])); pen.lineTo(X(0), Y(y[1])); pen.moveTo(X(x[0]), Y(0)); pen.lineTo(X(x[1]), Y(0));
    pen.stroke();
    pen.globalAlpha = 0.22;
    for (let j = 0; j < last[0].length; j++) {
      pen.strokeStyle = pen.fillStyle = theme[roles[j]];
      line(pen, trail.map((f) => f[0][j]), trail.map((f) => f[1][j]), X, Y);
    }
    pen.globalAlpha = 0.9;
    for (let j = 0; j < last[0].length; j++) {
      if (!known(last[0][j]) || !known(last[1][j])) continue;
      pen.fillStyle = theme[roles[j]];
      pen.beginPath();
      if (roles[j] === "negative") pen.rect(X(last[0][j]) - 2.4, Y(last[1][j]) - 2.4, 4.8, 4.8);
      else pen.arc(X(last[0][j]), Y(last[1][j]), 2.8, 0, 7);
      pen.fill();
    }
    pen.globalAlpha = 1;
  }

  // A stroke of a role, for a legend.
  function key(canvas, role) {
    const ratio = window.devicePixelRatio || 1, pen = canvas.getContext("2d");
    canvas.width = 22 * ratio;
    canvas.height = 10 * ratio;
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.lineWidth = 2.5;
    look(pen, role, colours());
    pen.beginPath(); pen.moveTo(0, 5); pen.lineTo(22, 5); pen.stroke();
  }

  function dress(document) { themes = document.themes; dashes = document.dashes; }
  return { curves, strands, cloud, key, dress, number, dark, colours };
})();
