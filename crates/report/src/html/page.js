"use strict";
// Steps through witnesses and filters findings. The page is complete without it: this only adds to what is there.
(() => {
  const files = JSON.parse(document.getElementById("sources").textContent);
  const AROUND = 4;

  const element = (name, className, text) => {
    const made = document.createElement(name);
    if (className) made.className = className;
    if (text !== undefined) made.textContent = text;
    return made;
  };

  // The places of a row: where each thread that does something in it stands.
  const places = (row) =>
    [...row.querySelectorAll("td[data-file]")].map((cell) => ({
      file: Number(cell.dataset.file),
      line: Number(cell.dataset.line),
      from: Number(cell.dataset.from),
      to: Number(cell.dataset.to),
      who: cell.dataset.who,
      what: cell.dataset.what,
    }));

  // Stretches of lines around places; stretches of one file that touch become one.
  const stretches = (marks) => {
    const all = [];
    for (const mark of marks) {
      const low = mark.line - AROUND;
      const high = mark.line + AROUND;
      const near = all.find((one) => one.file === mark.file && low <= one.high + 1 && one.low <= high + 1);
      if (near) {
        near.low = Math.min(near.low, low);
        near.high = Math.max(near.high, high);
        near.marks.push(mark);
      } else {
        all.push({ file: mark.file, low, high, marks: [mark] });
      }
    }
    return all;
  };

  const sourceLine = (number, text, marks) => {
    const line = element("span", marks.length ? "line stands" : "line");
    line.append(element("span", "number", number));
    const mark = marks.find((one) => one.to > one.from && one.to <= text.length);
    if (mark) {
      line.append(text.slice(0, mark.from), element("mark", "", text.slice(mark.from, mark.to)), text.slice(mark.to));
    } else {
      line.append(text);
    }
    line.append("\n");
    return [line, ...marks.map((one) => element("span", "line who", `${one.who} ${one.what}\n`))];
  };

  const show = (pane, marks) => {
    pane.replaceChildren();
    for (const stretch of stretches(marks)) {
      const file = files[stretch.file];
      pane.append(element("h5", "", file.name));
      const lines = file.lines.filter(([number]) => number >= stretch.low && number <= stretch.high);
      if (lines.length === 0) {
        const said = stretch.marks.map((one) => `${one.who} ${one.what}, at line ${one.line}`).join("; ");
        pane.append(element("p", "", `${said} (the source text is not at hand)`));
        continue;
      }
      const block = element("pre", "source");
      for (const [number, text] of lines) {
        block.append(...sourceLine(number, text, stretch.marks.filter((one) => one.line === number)));
      }
      pane.append(block);
    }
    if (marks.length === 0) pane.append(element("p", "", "This step has no place in the source."));
  };

  const stepper = (figure) => {
    const rows = [...figure.querySelectorAll("tbody tr:not(.left-out)")];
    if (rows.length === 0) return;
    const pane = figure.querySelector(".follow");
    const said = figure.querySelector("output");
    const lanes = figure.querySelector(".lanes");
    const buttons = [...figure.querySelectorAll(".bar button")];
    let now = 0;
    const go = (to, scroll = true) => {
      now = Math.max(0, Math.min(rows.length - 1, to));
      rows.forEach((row, index) => {
        row.classList.toggle("ahead", index > now);
        if (index === now) row.setAttribute("aria-current", "step");
        else row.removeAttribute("aria-current");
      });
      const row = rows[now];
      if (scroll) {
        const head = lanes.querySelector("thead").offsetHeight;
        const low = row.offsetTop - head;
        const high = row.offsetTop + row.offsetHeight;
        if (low < lanes.scrollTop) lanes.scrollTop = low;
        else if (high > lanes.scrollTop + lanes.clientHeight) lanes.scrollTop = high - lanes.clientHeight;
      }
      for (const button of buttons) {
        const ends = button.value === "first" || button.value === "back" ? now === 0 : now === rows.length - 1;
        button.setAttribute("aria-disabled", String(ends));
      }
      const words = [...row.querySelectorAll("td[data-who]")].map((one) => `${one.dataset.who} ${one.dataset.what}`);
      said.textContent = `${row.dataset.name} of ${figure.dataset.steps}: ${words.join("; ")}`;
      show(pane, places(row));
    };
    const moves = { first: () => 0, back: () => now - 1, next: () => now + 1, last: () => rows.length - 1 };
    const keys = { ArrowLeft: "back", ArrowUp: "back", ArrowRight: "next", ArrowDown: "next", Home: "first", End: "last" };
    for (const button of buttons) button.addEventListener("click", () => go(moves[button.value]()));
    figure.addEventListener("keydown", (event) => {
      const move = keys[event.key];
      if (!move || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      go(moves[move]());
    });
    rows.forEach((row, index) => row.addEventListener("click", () => go(index, false)));
    figure.classList.add("steps");
    figure.tabIndex = 0;
    go(0);
  };

  const filter = () => {
    const box = document.getElementById("filter");
    if (!box) return;
    const findings = [...document.querySelectorAll("article")];
    const texts = findings.map((one) => one.dataset.search.toLowerCase());
    const apply = () => {
      const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
      let shown = 0;
      findings.forEach((one, index) => {
        const fits = words.every((word) => texts[index].includes(word));
        one.hidden = !fits;
        document.querySelector(`#contents a[href="#${one.id}"]`).parentElement.hidden = !fits;
        shown += Number(fits);
      });
      document.getElementById("count").textContent = `${shown} of ${findings.length} shown`;
    };
    document.getElementById("tools").hidden = false;
    box.addEventListener("input", apply);
    box.addEventListener("keydown", (event) => {
      if (event.key === "Escape") { box.value = ""; apply(); }
    });
    apply();
  };

  document.querySelectorAll("figure.timeline").forEach(stepper);
  filter();
})();
