"use strict";
// Statement cards: a chip shows its reading; without a script, and on paper, all are shown.
(() => {
  for (const chips of document.querySelectorAll(".chips")) {
    const buttons = [...chips.querySelectorAll("[data-chip]")];
    const readings = [...chips.parentElement.querySelectorAll(":scope > [data-reading]")];
    const show = (name) => {
      for (const button of buttons) button.setAttribute("aria-pressed", String(button.dataset.chip === name));
      for (const reading of readings) reading.classList.toggle("folded", reading.dataset.reading !== name);
    };
    chips.addEventListener("click", (event) => {
      const button = event.target.closest("[data-chip]");
      if (button) show(button.dataset.chip);
    });
    const decides = buttons.find((button) => button.getAttribute("aria-pressed") === "true") || buttons[0];
    if (decides) show(decides.dataset.chip);
  }
})();
