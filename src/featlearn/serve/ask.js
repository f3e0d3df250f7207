"use strict";
// What every live page shares: elements by hand, questions to the server, sentences, files to save.
const Page = (() => {
  const at = (id) => document.getElementById(id);
  const token = location.hash.slice(1);
  const program = document.body.dataset.program;

  function make(tag, attributes = {}, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (name in element && name !== "list") element[name] = value; else element.setAttribute(name, value);
    }
    element.append(...children);
    return element;
  }

  // A question to the server. A mistake comes back as a sentence, and the field it is about.
  async function ask(question, content = {}) {
    let answer;
    try {
      answer = await fetch(`/api/${question}`, { method: "POST", body: JSON.stringify(content),
        headers: { "Content-Type": "application/json", "X-Featlearn-Token": token } });
    } catch {
      throw { sentence: `The page has ended. Start \`${program}\` again.` };
    }
    const told = await answer.json();
    if (answer.ok) return told;
    throw answer.status === 403 ? { sentence: `Open the address that \`${program}\` printed: it carries the token that this page lacks.` } : told.error;
  }
  function alarm(sentence) {
    at("alarm").textContent = sentence || "";
    at("alarm").hidden = !sentence;
  }
  function save(name, blob) {
    const link = make("a", { href: URL.createObjectURL(blob), download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }
  async function copy(text, told) {
    try {
      await navigator.clipboard.writeText(text);
      told.textContent = "Copied.";
    } catch {
      told.textContent = "This browser does not let a page copy: select it by hand.";
    }
    setTimeout(() => { told.textContent = ""; }, 4000);
  }
  // The state of a page stands in the part of the address before the token.
  const state = () => new URLSearchParams(location.search);
  const remember = (parameters) => history.replaceState(null, "", `?${parameters}${location.hash}`);
  return { at, make, ask, alarm, save, copy, state, remember };
})();
