"use strict";
// Pictures to take away: all panels as one PNG, and a short animation as APNG, made here in the page.
const Take = (() => {
  const PACE = 80;                       // milliseconds from picture to picture of an animation
  const blob = (canvas) => new Promise((resolve) => { canvas.toBlob(resolve, "image/png"); });

  // All canvases in two columns, with their titles and legends; of two runs each has a column.
  async function image(titles, figures) {
    const cells = figures.flatMap((box) => [...box.querySelectorAll("canvas[role=img]")].map((canvas) => ({ canvas, name: box.querySelector("h3").textContent, keys: [...box.querySelectorAll("li")] })));
    const wide = Math.max(...cells.map((cell) => cell.canvas.width)), gap = 24, head = 40;
    const high = Math.max(...cells.map((cell) => cell.canvas.height)) + head;
    const columns = Math.min(2, cells.length), rows = Math.ceil(cells.length / columns);
    const sheet = document.createElement("canvas");
    sheet.width = columns * (wide + gap) + gap;
    sheet.height = rows * (high + gap) + gap + head;
    const pen = sheet.getContext("2d"), theme = Draw.colours();
    pen.fillStyle = theme.ground;
    pen.fillRect(0, 0, sheet.width, sheet.height);
    pen.fillStyle = theme.ink;
    const size = Math.round(sheet.width / 70);
    pen.font = `600 ${size}px system-ui, sans-serif`;
    titles.forEach((title, i) => pen.fillText(title, gap + i * (wide + gap), gap + size, titles.length > 1 ? wide : sheet.width - 2 * gap));
    cells.forEach(({ canvas, name, keys }, i) => {
      const x = gap + (i % columns) * (wide + gap), y = gap + head + Math.floor(i / columns) * (high + gap);
      pen.fillText(name, x, y + size);
      let at = x + pen.measureText(`${name}   `).width;
      for (const key of keys) {
        const stroke = key.querySelector("canvas"), label = key.firstElementChild.nextSibling.textContent;
        pen.drawImage(stroke, at, y + size - stroke.height);
        pen.fillText(label, at + stroke.width + 6, y + size);
        at += stroke.width + pen.measureText(label).width + 18;
      }
      pen.drawImage(canvas, x, y + head);
    });
    return blob(sheet);
  }

  // Pictures one after the other: paint(canvas, place) draws each on a canvas of that size.
  async function animation(count, width, height, paint) {
    const frames = [];
    for (let place = 0; place < count; place++) {
      const drawn = document.createElement("canvas"), sheet = document.createElement("canvas");
      drawn.box = { width, height };
      paint(drawn, place);
      [sheet.width, sheet.height] = [width, height];
      const pen = sheet.getContext("2d");
      pen.fillStyle = Draw.colours().ground;
      pen.fillRect(0, 0, width, height);
      pen.drawImage(drawn, 0, 0);
      frames.push(new Uint8Array(await (await blob(sheet)).arrayBuffer()));
    }
    return new Blob([joined(frames, width, height)], { type: "image/apng" });
  }

  // APNG: the chunks of the first PNG, then every further picture's data under a number of its own.
  function chunks(file) {
    const view = new DataView(file.buffer), found = [];
    for (let at = 8; at < file.length;) {
      const length = view.getUint32(at), name = String.fromCharCode(...file.subarray(at + 4, at + 8));
      found.push({ name, data: file.subarray(at + 8, at + 8 + length) });
      at += 12 + length;
    }
    return found;
  }
  const table = Uint32Array.from({ length: 256 }, (_, n) => { for (let i = 0; i < 8; i++) n = n & 1 ? (n >>> 1) ^ 0xedb88320 : n >>> 1; return n >>> 0; });
  function check(bytes) {
    let sum = 0xffffffff;
    for (const byte of bytes) sum = (sum >>> 8) ^ table[(sum ^ byte) & 255];
    return (sum ^ 0xffffffff) >>> 0;
  }
  function chunk(name, data) {
    const whole = new Uint8Array(12 + data.length), view = new DataView(whole.buffer);
    view.setUint32(0, data.length);
    for (let i = 0; i < 4; i++) whole[4 + i] = name.charCodeAt(i);
    whole.set(data, 8);
    view.setUint32(8 + data.length, check(whole.subarray(4, 8 + data.length)));
    return whole;
  }
  const numbers = (...pairs) => {         // [bytes, value], most significant first
    const out = [];
    for (const [bytes, value] of pairs) for (let i = bytes - 1; i >= 0; i--) out.push((value >>> (8 * i)) & 255);
    return Uint8Array.from(out);
  };
  function joined(frames, width, height) {
    const parts = [frames[0].subarray(0, 8)];
    let number = 0;
    const control = (last) => chunk("fcTL", numbers([4, number++], [4, width], [4, height], [4, 0], [4, 0], [2, last ? 1500 : PACE], [2, 1000], [1, 0], [1, 0]));
    frames.forEach((file, place) => {
      const last = place === frames.length - 1;
      for (const { name, data } of chunks(file)) {
        if (place === 0 && name === "IHDR") parts.push(chunk(name, data), chunk("acTL", numbers([4, frames.length], [4, 0])), control(last));
        if (name !== "IDAT") continue;
        if (place === 0) parts.push(chunk("IDAT", data));
        else parts.push(chunk("fdAT", new Uint8Array([...numbers([4, number++]), ...data])));
      }
      if (!last) parts.push(control(place === frames.length - 2));
    });
    parts.push(chunk("IEND", new Uint8Array()));
    const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
    let at = 0;
    for (const part of parts) { whole.set(part, at); at += part.length; }
    return whole;
  }
  return { image, animation };
})();
