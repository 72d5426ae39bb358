"use strict";
// Tables are sorted by a click on a heading: numbers by data-key or what is shown, others by text.
for (const table of document.querySelectorAll("table.sortable")) {
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => {
    head.tabIndex = 0;
    const sort = () => {
      const numeric = head.classList.contains("n");
      const up = head.getAttribute("aria-sort") === (numeric ? "descending" : null) ||
        (!numeric && head.getAttribute("aria-sort") !== "ascending");
      const key = (row) => {
        const cell = row.cells[column];
        if (cell.dataset.key !== undefined) return Number(cell.dataset.key);
        const text = cell.textContent.trim();
        if (!numeric) return text;
        const number = parseFloat(text.replace(/[\s\u202f]/g, "").replace("−", "-"));
        return Number.isNaN(number) ? -Infinity : number;
      };
      const compare = (a, b) => (typeof a === "string" ? a.localeCompare(b) : a - b);
      const rows = [...table.tBodies[0].rows].map((row) => [key(row), row]);
      rows.sort((a, b) => (up ? 1 : -1) * compare(a[0], b[0]));
      table.tBodies[0].append(...rows.map((row) => row[1]));
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", up ? "ascending" : "descending");
    };
    head.addEventListener("click", sort);
    head.addEventListener("keydown", (event) => {
      if (event.key === "Enter") sort();
    });
  });
}

// A game is stepped through by applying what changes with every move.
for (const replay of document.querySelectorAll(".replay")) {
  const data = JSON.parse(replay.querySelector("script").textContent);
  const find = (name) => replay.querySelector(name);
  const svg = (name, attributes, text) => {
    const element = document.createElementNS(find(".board").namespaceURI, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    if (text !== undefined) element.textContent = text;
    return element;
  };
  const [choice, slider, status, moves] = [".choice", ".slider", ".status", ".moves"].map(find);
  // A letter is only needed where pieces of one colour differ.
  const kinds = {};
  for (const [symbol, fill] of data.looks) if (symbol) kinds[fill] = (kinds[fill] || 0) + 1;
  let game = data.games[0], ply = 0, timer = null;

  const draw = () => {
    const pieces = data.start.slice();
    for (let i = 0; i < ply; i++) {
      const changes = game.plies[i][3];
      for (let k = 0; k < changes.length; k += 2) pieces[changes[k]] = changes[k + 1];
    }
    const shown = [], marks = [];
    pieces.forEach((piece, vertex) => {
      const [symbol, fill, ink, round, name] = data.looks[piece];
      if (!symbol) return;
      const [x, y] = data.places[vertex];
      const group = svg("g", {});
      group.append(svg("title", {}, name));
      group.append(round
        ? svg("circle", { class: "piece", cx: x, cy: y, r: 15, fill })
        : svg("rect", { class: "piece", x: x - 13, y: y - 13, width: 26, height: 26, rx: 4, fill }));
      if (kinds[fill] > 1) {
        group.append(svg("text", { class: "symbol", x, y: y + 5.5, style: "fill:" + ink }, symbol));
      }
      shown.push(group);
    });
    const last = ply > 0 ? game.plies[ply - 1] : null;
    if (last) {
      for (const vertex of last[2]) {
        const [x, y] = data.places[vertex];
        marks.push(svg("circle", { class: "mark", cx: x, cy: y, r: 17 }));
      }
    }
    find(".pieces").replaceChildren(...shown);
    find(".marks").replaceChildren(...marks);
    slider.value = ply;
    [...moves.children].forEach((item, i) => item.classList.toggle("now", i === ply - 1));
    const now = moves.children[ply - 1];
    if (now) moves.scrollTop = now.offsetTop - moves.offsetTop - moves.clientHeight / 2;
    else moves.scrollTop = 0;
    const next = game.plies[ply];
    [...find(".seats").children].forEach((seat, i) =>
      seat.classList.toggle("turn", !!next && next[0] === i + 1));
    status.textContent = ply === game.plies.length
      ? `After ${ply} moves: ${game.outcome}`
      : last ? `Move ${ply} of ${game.plies.length}: ${data.players[last[0] - 1]} ${last[1]}`
        : `The beginning; ${game.plies.length} moves`;
  };
  const stop = () => {
    clearInterval(timer);
    timer = null;
  };
  const go = (to) => {
    ply = Math.max(0, Math.min(game.plies.length, to));
    draw();
  };
  const actions = {
    first: () => go(0),
    back: () => go(ply - 1),
    next: () => go(ply + 1),
    last: () => go(game.plies.length),
    play: () => {
      if (timer) return stop();
      if (ply === game.plies.length) go(0);
      timer = setInterval(() => {
        go(ply + 1);
        if (ply === game.plies.length) stop();
      }, 500);
    },
  };
  const load = () => {
    stop();
    game = data.games[Number(choice.value)];
    slider.max = game.plies.length;
    find(".seats").innerHTML = game.agents
      .map((agent, i) => `<div></div>`).join("");
    [...find(".seats").children].forEach((seat, i) => {
      seat.textContent = `${data.players[i]}: `;
      seat.insertAdjacentHTML("beforeend", game.agents[i]);
    });
    moves.replaceChildren(...game.plies.map(([seat, words], i) => {
      const item = document.createElement("li");
      item.textContent = `${data.players[seat - 1]} ${words}`;
      if (i < game.opening) item.classList.add("random");
      item.addEventListener("click", () => {
        stop();
        go(i + 1);
      });
      return item;
    }));
    go(0);
  };
  choice.addEventListener("change", load);
  slider.addEventListener("input", () => {
    stop();
    go(Number(slider.value));
  });
  for (const button of replay.querySelectorAll("button")) {
    button.addEventListener("click", () => {
      if (button.dataset.go !== "play") stop();
      actions[button.dataset.go]();
    });
  }
  const keys = { ArrowLeft: "back", ArrowRight: "next", Home: "first", End: "last", " ": "play" };
  replay.addEventListener("keydown", (event) => {
    const action = keys[event.key];
    if (!action || ["SELECT", "INPUT", "BUTTON"].includes(event.target.tagName) && event.key === " ") return;
    if (event.target.tagName === "SELECT" || event.target === slider) return;
    event.preventDefault();
    if (action !== "play") stop();
    actions[action]();
  });
  load();
}
