"use strict";
// Steps through witnesses, filters findings, moves graphs. The page is complete without it: this only adds to what is there.
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
      said.textContent = `${row.dataset.name}: ${words.join("; ")}`;
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
    if (!figure.querySelector("td[data-file]")) figure.classList.add("no-source");
    figure.tabIndex = 0;
    go(0);
  };

  const filter = () => {
    const box = document.getElementById("filter");
    if (!box) return;
    const findings = [...document.querySelectorAll("[data-search]")];
    const texts = findings.map((one) => one.dataset.search.toLowerCase());
    const apply = () => {
      const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
      let [shown, all] = [0, 0];
      findings.forEach((one, index) => {
        const fits = words.every((word) => texts[index].includes(word));
        one.hidden = !fits;
        const link = one.id && document.querySelector(`#contents a[href="#${one.id}"]`);
        if (link) link.parentElement.hidden = !fits;
        if (one.tagName !== "ARTICLE") return;
        shown += Number(fits);
        all += 1;
      });
      document.getElementById("count").textContent = `${shown} of ${all} shown`;
    };
    document.getElementById("tools").hidden = false;
    box.addEventListener("input", apply);
    box.addEventListener("keydown", (event) => {
      if (event.key === "Escape") { box.value = ""; apply(); }
    });
    apply();
  };

  // A graph that is moved by dragging and by the arrow keys, and enlarged by buttons, plus and minus, or Ctrl and the wheel.
  const mover = (figure) => {
    const view = figure.querySelector(".view");
    const svg = view.querySelector("svg");
    const said = figure.querySelector("output");
    const whole = { w: svg.viewBox.baseVal.width, h: svg.viewBox.baseVal.height };
    // The middle of what is seen, and how many pixels a unit of the picture has.
    let x = 0, y = 0, scale = 1;
    const size = () => ({ w: Math.max(view.clientWidth, 1), h: Math.max(view.clientHeight, 1) });
    const fitting = () => Math.min(size().w / whole.w, size().h / whole.h);
    const draw = () => {
      scale = Math.max(Math.min(fitting(), 1) / 2, Math.min(8, scale));
      x = Math.max(0, Math.min(whole.w, x));
      y = Math.max(0, Math.min(whole.h, y));
      const w = size().w / scale;
      const h = size().h / scale;
      svg.setAttribute("viewBox", `${x - w / 2} ${y - h / 2} ${w} ${h}`);
      said.textContent = `${Math.round(scale * 100)} %`;
    };
    const all = () => {
      scale = Math.min(fitting(), 1.5);
      x = whole.w / 2;
      y = whole.h / 2;
      draw();
    };
    // What lies under the point stays under it.
    const enlarge = (factor, point) => {
      const old = scale;
      scale *= factor;
      draw();
      if (point) {
        const box = view.getBoundingClientRect();
        x += (point.clientX - box.left - box.width / 2) * (1 / old - 1 / scale);
        y += (point.clientY - box.top - box.height / 2) * (1 / old - 1 / scale);
        draw();
      }
    };
    const move = (right, down) => {
      x += (right * size().w) / 8 / scale;
      y += (down * size().h) / 8 / scale;
      draw();
    };
    const moves = {
      in: () => enlarge(1.25), out: () => enlarge(0.8), all,
      one: () => { scale = 1; draw(); },
      left: () => move(-1, 0), right: () => move(1, 0), up: () => move(0, -1), down: () => move(0, 1),
    };
    const keys = {
      "+": "in", "=": "in", "-": "out", "0": "all", "1": "one",
      ArrowLeft: "left", ArrowRight: "right", ArrowUp: "up", ArrowDown: "down",
    };
    for (const button of figure.querySelectorAll(".bar button")) {
      button.addEventListener("click", () => moves[button.value]());
    }
    figure.addEventListener("keydown", (event) => {
      const key = keys[event.key];
      if (!key || event.altKey || event.ctrlKey || event.metaKey || event.target.closest("details")) return;
      event.preventDefault();
      moves[key]();
    });
    view.addEventListener("wheel", (event) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      enlarge(Math.exp(-event.deltaY / 300), event);
    }, { passive: false });
    view.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      view.setPointerCapture(event.pointerId);
      view.classList.add("held");
    });
    view.addEventListener("pointermove", (event) => {
      if (!view.classList.contains("held")) return;
      x -= event.movementX / scale;
      y -= event.movementY / scale;
      draw();
    });
    for (const end of ["pointerup", "pointercancel"]) view.addEventListener(end, () => view.classList.remove("held"));
    figure.classList.add("moves");
    figure.tabIndex = 0;
    svg.setAttribute("preserveAspectRatio", "xMidYMid meet");
    window.addEventListener("resize", draw);
    // On paper the whole picture is wanted.
    let before = "";
    window.addEventListener("beforeprint", () => {
      before = svg.getAttribute("viewBox");
      svg.setAttribute("viewBox", `0 0 ${whole.w} ${whole.h}`);
    });
    window.addEventListener("afterprint", () => svg.setAttribute("viewBox", before));
    all();
  };

  document.querySelectorAll("figure.timeline").forEach(stepper);
  document.querySelectorAll("figure.graph").forEach(mover);
  filter();
})();
