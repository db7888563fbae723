"use strict";
// What the page does beyond being read: it finds, sorts and groups the rows of the overview, opens cards below their
// rows, and copies scripts. It writes no HTML of its own: cards come from the page, all else is text.
document.documentElement.classList.add("js");
addEventListener("DOMContentLoaded", () => {
  const byId = (id) => document.getElementById(id);
  const make = (tag, properties = {}, ...inside) => {
    const node = Object.assign(document.createElement(tag), properties);
    node.append(...inside);
    return node;
  };

  document.addEventListener("click", (event) => {
    const button = event.target.closest("button.copy");
    if (button) copy(button);
  });

  async function copy(button) {
    const block = button.closest(".code").querySelector("pre");
    try {
      await navigator.clipboard.writeText(block.textContent);
    } catch {
      getSelection().selectAllChildren(block);
      document.execCommand("copy");
      getSelection().empty();
    }
    button.textContent = "Copied";
    setTimeout(() => (button.textContent = "Copy"), 2000);
  }

  // Lists that fold: a search leaves the entries that hold all words, filters leave those of one environment or owner,
  // and an address opens its entry.
  const wordsOf = (field) => field.value.toLowerCase().split(/\s+/).filter(Boolean);
  const filters = [...document.querySelectorAll("select[data-filter]")];
  const passes = (entry) =>
    filters.every((filter) => {
      const marks = entry.dataset[filter.dataset.filter];
      return !filter.value || marks === undefined || marks.split(" ").includes(filter.value);
    });
  const refreshes = [];
  for (const field of document.querySelectorAll("input[data-list]")) {
    const entries = [...byId(field.dataset.list).children];
    const refresh = () => {
      const words = wordsOf(field);
      for (const entry of entries) {
        const text = words.length ? entry.textContent.toLowerCase() : "";
        entry.hidden = !passes(entry) || !words.every((word) => text.includes(word));
      }
      const left = entries.filter((entry) => !entry.hidden).length;
      field.closest(".tools").querySelector("output").textContent = `${left} of ${entries.length}`;
    };
    field.addEventListener("input", refresh);
    refreshes.push(refresh);
  }
  for (const filter of filters) {
    filter.addEventListener("change", () => {
      for (const row of document.querySelectorAll("tr[data-environment]")) row.hidden = !passes(row);
      for (const refresh of refreshes) refresh();
    });
  }
  function unfold() {
    const entry = byId(decodeURIComponent(location.hash.slice(1)));
    if (entry instanceof HTMLDetailsElement) {
      entry.closest("[hidden]")?.removeAttribute("hidden");
      entry.open = true;
      entry.scrollIntoView();
    }
  }
  addEventListener("hashchange", unfold);
  unfold();

  const table = byId("overview");
  if (!table) return;

  // Rows, what they can be found and sorted by, and the groups of the page as it came.
  const CHUNK = 100;
  const COLUMNS = [...table.tHead.rows[0].cells].map((head) => head.className);
  const rows = [...table.querySelectorAll("tbody.rows > tr")];
  const place = new Map(rows.map((row, number) => [row, number]));
  const labels = new Map();
  for (const head of table.querySelectorAll("tbody.group th")) {
    labels.set(head.className, { id: head.id, text: head.firstChild.textContent.trim() });
  }
  const tools = {};
  for (const id of ["search", "fate", "finding", "cell", "group", "sort"]) tools[id] = byId(id);
  const order = new Intl.Collator("en", { numeric: true });
  const texts = new Map();
  const text = (row) => {
    if (!texts.has(row)) texts.set(row, row.textContent.toLowerCase());
    return texts.get(row);
  };
  const column = (row, name) => row.cells[COLUMNS.indexOf(name)];
  const value = (row, name) => {
    if (name === "server") return column(row, "endpoint").querySelector("small")?.textContent ?? "";
    if (name === "cell") return row.dataset.c ?? "";
    return column(row, name).textContent.trim();
  };
  const sorted = { by: "", down: false };

  function kept() {
    const words = wordsOf(tools.search);
    const fate = tools.fate.value;
    const finding = tools.finding.value;
    const cell = tools.cell?.value ?? "all";
    const severity = { error: "e", warning: "w", info: "i" }[finding];
    const fits = (row) => {
      if (finding === "all") return true;
      if (finding === "some") return row.dataset.w !== "0";
      if (severity) return column(row, "findings").querySelector("." + severity) !== null;
      return column(row, "findings").textContent.split(/\s+/).includes(finding);
    };
    return rows.filter(
      (row) =>
        (fate === "all" || row.className === "f-" + fate) &&
        (cell === "all" || row.dataset.c === cell) &&
        fits(row) &&
        words.every((word) => text(row).includes(word)),
    );
  }

  function inOrder(found) {
    if (!sorted.by) return found;
    const sign = sorted.down ? -1 : 1;
    const keys = new Map(
      found.map((row) => {
        if (sorted.by === "fate") return [row, place.get(row)];
        return [row, sorted.by === "findings" ? -Number(row.dataset.w) : value(row, sorted.by)];
      }),
    );
    const compare = ["fate", "findings"].includes(sorted.by)
      ? (a, b) => keys.get(a) - keys.get(b)
      : (a, b) => (keys.get(a) === "") - (keys.get(b) === "") || sign * order.compare(keys.get(a), keys.get(b));
    const numeric = ["fate", "findings"].includes(sorted.by) ? sign : 1;
    return [...found].sort((a, b) => numeric * compare(a, b) || place.get(a) - place.get(b));
  }

  function inGroups(found) {
    const by = tools.group.value;
    if (by === "none") return [["", found]];
    const groups = new Map();
    for (const row of found) {
      const key = by === "fate" ? row.className : value(row, by);
      if (!groups.has(key)) groups.set(key, []);
      groups.get(key).push(row);
    }
    const all = [...groups];
    if (by !== "fate") return all.sort(([a], [b]) => (a === "") - (b === "") || order.compare(a, b));
    const ranks = [...labels.keys()];
    return all.sort(([a], [b]) => ranks.indexOf(a) - ranks.indexOf(b));
  }

  function heading(key, count) {
    const known = tools.group.value === "fate" ? labels.get(key) : undefined;
    const head = make("th", { scope: "rowgroup", className: known ? key : "", id: known?.id ?? "" });
    head.setAttribute("role", "rowheader");
    head.append((known?.text ?? key) || "(none)", " ", make("span", { className: "count" }, count.toLocaleString("en")));
    return body("group", line("", head));
  }

  const body = (name, ...inside) => withRole(make("tbody", { className: name }, ...inside), "rowgroup");
  const line = (name, ...inside) => withRole(make("tr", { className: name }, ...inside), "row");
  const withRole = (node, role) => {
    node.setAttribute("role", role);
    return node;
  };

  function show() {
    const found = inOrder(kept());
    const bodies = [];
    for (const [key, members] of inGroups(found)) {
      if (key !== "" || tools.group.value !== "none") bodies.push(heading(key, members.length));
      for (let at = 0; at < members.length; at += CHUNK) {
        const chunk = members.slice(at, at + CHUNK);
        bodies.push(body("rows", ...chunk.flatMap((row) => (opened.has(row) ? [row, opened.get(row).line] : [row]))));
      }
    }
    for (const old of [...table.tBodies]) old.remove();
    table.append(...bodies);
    const all = rows.length.toLocaleString("en");
    byId("shown").textContent =
      found.length === rows.length ? `${all} rows` : `${found.length.toLocaleString("en")} of ${all} rows`;
  }

  // Sorting by the heads of the columns.
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, number) => {
    const button = make("button", { type: "button" }, head.textContent);
    head.replaceChildren(button);
    button.addEventListener("click", () => {
      const name = COLUMNS[number];
      sortBy(sorted.by === name && sorted.down ? "" : name, sorted.by === name);
    });
  });
  function sortBy(name, down) {
    sorted.by = name;
    sorted.down = down;
    heads.forEach((head, number) => {
      if (COLUMNS[number] === name) head.setAttribute("aria-sort", down ? "descending" : "ascending");
      else head.removeAttribute("aria-sort");
    });
    tools.sort.value = name === "fate" ? "" : name;
    show();
  }
  tools.sort.addEventListener("change", () => sortBy(tools.sort.value, false));
  for (const id of ["fate", "finding", "cell", "group"]) tools[id]?.addEventListener("change", show);
  let waiting;
  tools.search.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(show, 80);
  });
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-fate]");
    if (!link) return;
    event.preventDefault();
    tools.fate.value = link.dataset.fate;
    show();
    byId("flows").scrollIntoView();
  });

  // Cards: elements of the page, or compressed.
  const opened = new Map();
  const packs = [...document.querySelectorAll("script.pack")];
  const plain = rows.length - packed();
  const unpacked = new Map();

  function packed() {
    const first = rows.findIndex((row) => !byId(link(row).hash.slice(1)));
    return packs.length && first >= 0 ? rows.length - first : 0;
  }

  function link(row) {
    return column(row, "queue").firstElementChild;
  }

  function unpack(number) {
    if (!unpacked.has(number)) {
      const bytes = Uint8Array.from(atob(packs[number].textContent), (char) => char.charCodeAt(0));
      const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
      const cards = new Response(stream).text().then((found) => found.split("\x1e"));
      unpacked.clear();
      unpacked.set(number, cards);
    }
    return unpacked.get(number);
  }

  async function card(row) {
    const there = byId(link(row).hash.slice(1));
    if (there) return there;
    const behind = place.get(row) - plain;
    const size = Number(packs[0].dataset.size);
    const cards = await unpack(Math.floor(behind / size));
    const holder = document.createElement("template");
    holder.innerHTML = cards[behind % size];
    return holder.content.firstElementChild;
  }

  async function open(row) {
    if (opened.has(row)) return;
    const mark = document.createComment("");
    const entry = { line: line("opened"), mark };
    opened.set(row, entry);
    link(row).setAttribute("aria-expanded", "true");
    const shown = await card(row);
    if (shown.isConnected) shown.before(mark);
    const cell = make("td", { colSpan: COLUMNS.length }, shown);
    cell.setAttribute("role", "cell");
    entry.line.append(cell);
    row.after(entry.line);
  }

  function close(row) {
    const { line: below, mark } = opened.get(row);
    const shown = below.querySelector("article.card");
    if (mark.isConnected && shown) mark.replaceWith(shown);
    below.remove();
    opened.delete(row);
    link(row).removeAttribute("aria-expanded");
  }

  table.addEventListener("click", (event) => {
    const row = event.target.closest("tr");
    if (!place.has(row) || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    if (!event.target.closest("a") && !getSelection().isCollapsed) return;
    event.preventDefault();
    if (opened.has(row)) {
      close(row);
      history.pushState(null, "", location.pathname + location.search);
    } else {
      history.pushState(null, "", link(row).hash);
      open(row);
    }
  });

  // Addresses: a card by its id, a finding by its fingerprint.
  async function follow() {
    const id = decodeURIComponent(location.hash.slice(1));
    if (!id || id.startsWith("fate-")) return;
    const row = rowOf(id) ?? rowOf(byId(id)?.closest("article.card")?.id) ?? (await rowOfFinding(id));
    if (!row) return;
    if (!row.isConnected) {
      for (const name of ["fate", "finding", "cell"]) if (tools[name]) tools[name].value = "all";
      tools.search.value = "";
      show();
    }
    await open(row);
    const target = byId(id);
    for (const old of document.querySelectorAll(".aimed")) old.classList.remove("aimed");
    if (target?.classList.contains("finding")) target.classList.add("aimed");
    (target?.classList.contains("finding") ? target : row).scrollIntoView();
  }

  function rowOf(id) {
    return id ? rows.find((row) => link(row).getAttribute("href") === "#" + id) : undefined;
  }

  async function rowOfFinding(id) {
    if (!/^[0-9a-f]{32}$/.test(id)) return undefined;
    let number = plain;
    for (let pack = 0; pack < packs.length; pack++) {
      for (const text of await unpack(pack)) {
        if (text.includes(` id="${id}"`)) return rows[number];
        number += 1;
      }
    }
    return undefined;
  }

  addEventListener("hashchange", follow);
  addEventListener("popstate", follow);
  follow();

  // On paper the cards stand behind the table, in their order.
  let before = [];
  addEventListener("beforeprint", () => {
    before = [...opened.keys()];
    before.forEach(close);
  });
  addEventListener("afterprint", () => before.forEach(open));
});
