// Controls, figures and the table. state says what is shown; show() paints it.
const byId = (id) => document.getElementById(id);
const whole = (n) => Math.round(n).toLocaleString("en");
const number = (x) => (x === 0 ? "0" : Math.abs(x) >= 1e6 || Math.abs(x) < 1e-3 ? x.toExponential(1) : String(+x.toPrecision(3)));
const percent = (x) => number(100 * x) + " %";
function element(name, properties, ...children) {
  const e = document.createElement(name);
  for (const k in properties) k.includes("-") ? e.setAttribute(k, properties[k]) : (e[k] = properties[k]);
  e.append(...children);
  return e;
}

const sets = data.sets, guided = sets.map((s, k) => (s.guide ? k : -1)).filter((k) => k >= 0);
const state = { set: 0, beside: -1, filters: [], view: data.mapped ? "map" : "layers", same: false, shown: null };
const lambda = (s) => "λ = " + number(s.lambda);
const title = (s) => (s.guide ? `${s.name}, ${lambda(s)}` : s.name);

// alone tells whether a spot is a single vertex.
const copies = new Int32Array(data.spots.length);
data.spot.forEach((s) => copies[s]++);
const alone = (s) => copies[s] === 1;
const same = (f, g) => f.spot === g.spot && f.layer === g.layer;
function spotName(s) {
  const { name, place } = data.spots[s];
  if (place >= 0 && data.pads.length) return name;
  if (place >= 0) return name === String(place) ? `place ${place}` : `${name} (place ${place})`;
  return L > 2 || V > 2 ? `${name}, layer ${layerOf[data.spot.indexOf(s)] + 1}` : name;
}
const filterName = (f) => spotName(f.spot) + (f.layer >= 0 ? ` in layer ${f.layer + 1 - data.first}` : "");
function filterText(f) { // as --where has it
  const { place } = data.spots[f.spot], what = data.pads.length ? JSON.stringify(data.spots[f.spot].name) : place >= 0 ? `place ${place}` : `vertex ${data.ids[data.spot.indexOf(f.spot)]}`;
  return f.layer >= 0 ? `visit(${what}, layer ${f.layer + 1})` : `visit(${what})`;
}

function toggle(f) {
  const at = state.filters.findIndex((g) => same(f, g));
  if (at >= 0) state.filters.splice(at, 1);
  else state.filters.push(f);
  state.shown = null;
  show();
}

function choose(k) {
  state.set = k;
  state.shown = null;
  show();
}

// setControls makes the list of samples, with one entry for all strengths of a guide.
function setControls() {
  sets.forEach((s, k) => {
    byId("beside").append(element("option", { value: k }, title(s)));
    if (s.guide && k !== guided[0]) return;
    const radio = element("input", { type: "radio", name: "set", id: "set-" + k, value: k });
    radio.addEventListener("change", () => choose(s.guide ? guided[+byId("lambda").value] : k));
    const size = s.guide ? `${guided.length} values of λ` : `${whole(s.total)} paths`;
    const prob = s.prob ? `, probability ${number(s.prob)}` : "";
    byId("sets").append(element("label", {}, radio, element("span", {}, s.name, element("span", { className: "note" }, size + prob))));
    if (s.guide) byId("sets").append(byId("strength"));
  });
  byId("beside").prepend(element("option", { value: -1, selected: true }, "nothing"));
  byId("beside").addEventListener("change", (e) => { state.beside = +e.target.value; show(); });
  byId("strength").hidden = !guided.length;
  byId("lambda").max = Math.max(0, guided.length - 1);
  byId("lambda").addEventListener("input", (e) => choose(guided[+e.target.value]));
}

function filterControls() {
  byId("spot-label").textContent = data.spots.some((s) => s.place >= 0) ? "place" : "vertex";
  byId("layer").append(element("option", { value: -1 }, "any layer"));
  for (let l = data.first; l < L; l++) byId("layer").append(element("option", { value: l }, `layer ${l + 1 - data.first}`));
  byId("layer-row").hidden = data.spots.every((_, s) => alone(s));
  byId("add").addEventListener("click", () => {
    const spot = +byId("spot").value, f = { spot, layer: alone(spot) ? -1 : +byId("layer").value };
    if (!state.filters.some((g) => same(f, g))) toggle(f);
  });
  byId("find").addEventListener("input", () => show());
  byId("clear").addEventListener("click", () => { state.filters = []; state.shown = null; show(); byId("spot").focus(); });
  const views = data.mapped ? [["map", "map"], ["layers", "layer by layer"]] : [];
  byId("views").append(...views.map(([value, text]) => {
    const radio = element("input", { type: "radio", name: "view", value, id: "view-" + value, checked: value === state.view });
    radio.addEventListener("change", () => { state.view = value; show(); });
    return element("label", {}, radio, ` ${text} `);
  }));
  byId("same").addEventListener("change", (e) => { state.same = e.target.checked; show(); });
}

// panels are the figures in use, by view and place.
const panels = new Map();
function panel(slot) {
  const key = state.view + slot;
  if (!panels.has(key)) {
    const figure = (state.view === "map" ? mapFigure : layersFigure)(toggle);
    const p = { ...figure, head: element("h3", {}), told: element("p", {}), where: element("p", { className: "note" }) };
    p.told.setAttribute("role", "status");
    p.box = element("section", { className: "panel" }, p.head, p.root, p.told, p.where);
    zoomed.observe(p.root);
    panels.set(key, p);
  }
  return panels.get(key);
}

// told says how many paths there are, how likely that is, and what they earn.
function told(t) {
  const all = t.set.total, left = state.filters.length;
  let text = left ? `${whole(t.n)} of ${whole(all)} paths, ${percent(t.n / all)}` : `${whole(all)} paths`;
  if (left && t.set.sample) text += ` (95 % interval ${interval(t.n, all).map((x) => number(100 * x)).join(" to ")} %)`;
  text += `, ${whole(t.kept.length)} distinct`;
  if (data.reward && t.n) text += `; mean reward ${number(t.reward / t.n)}, ${percent(t.best / t.n)} earn the greatest, ${number(data.best)}`;
  return text + ".";
}

// tops keeps the greatest density of each set without a filter.
const tops = new Map();
function top(mapped) {
  if (!tops.has(mapped)) tops.set(mapped, Math.max(...sets.map((s) => most(tally(s, []), mapped))));
  return tops.get(mapped);
}

function show() {
  const mapped = state.view === "map", chosen = [state.set, state.beside].filter((k) => k >= 0);
  const tallies = chosen.map((k) => tally(sets[k], state.filters));
  const scale = Math.max(state.same ? top(mapped) : 0, ...tallies.map((t) => most(t, mapped))) || 1;
  const boxes = tallies.map((t, slot) => {
    const p = panel(slot);
    p.head.textContent = title(t.set);
    p.told.textContent = told(t);
    p.where.textContent = state.filters.length ? "through " + state.filters.map(filterName).join(" and ") : "";
    p.root.setAttribute("aria-label", `${mapped ? "Map" : "Graph"} of ${title(t.set)}: ${told(t)}`);
    p.paint(t, scale, state.filters, state.shown);
    return p.box;
  });
  const now = [...byId("panels").children];
  if (now.length !== boxes.length || now.some((b, k) => b !== boxes[k])) byId("panels").replaceChildren(...boxes);
  showControls(tallies[0]);
  showLegend(mapped, scale);
  showTable(tallies[0]);
}

// found reports whether a spot's name has what is searched for.
function found(s) {
  return spotName(s).toLocaleLowerCase().includes(byId("find").value.trim().toLocaleLowerCase());
}

function showControls(t) {
  const at = guided.indexOf(state.set);
  byId("set-" + (at >= 0 ? guided[0] : state.set)).checked = true;
  if (at >= 0) byId("lambda").value = at;
  if (guided.length) {
    const text = lambda(sets[guided[+byId("lambda").value]]);
    byId("lambda-value").textContent = text;
    byId("lambda").setAttribute("aria-valuetext", text);
  }
  byId("filters").replaceChildren(...state.filters.map((f) => {
    const off = element("button", { type: "button", "aria-label": `Remove ${filterName(f)}` }, "Remove");
    off.addEventListener("click", () => { toggle(f); byId("add").focus(); });
    return element("li", {}, filterName(f), off);
  }));
  byId("clear").disabled = !state.filters.length;
  byId("as-text").replaceChildren();
  if (state.filters.length) byId("as-text").append("As a condition: ", element("code", {}, state.filters.map(filterText).join(" and ")));
  const was = byId("spot").value, n = Math.max(1, t.n);
  const order = data.spots.map((_, s) => s).filter((s) => !padSpot[s] && found(s) && (t.visits[s] > 0 || String(s) === was));
  const rank = (s) => (t.visits[s] === t.n ? -1 : t.visits[s]); // what all paths visit comes last
  order.sort((a, b) => rank(b) - rank(a) || a - b);
  byId("spot").replaceChildren(...order.map((s) => element("option", { value: s, selected: String(s) === was }, `${spotName(s)}: ${percent(t.visits[s] / n)}`)));
}

function showLegend(mapped, scale) {
  const box = byId("legend"), item = (draw, text) => {
    const s = svg(null, "svg", { width: 46, height: 14, viewBox: "0 0 46 14", "aria-hidden": "true" });
    draw(s);
    box.append(element("span", {}, s, text));
  };
  box.replaceChildren();
  item((s) => [...Array(10).keys()].forEach((k) => svg(s, "line", { class: `swatch u${k}`, x1: 4.6 * k, x2: 4.6 * k + 4.7, y1: 7, y2: 7 })),
    mapped ? `traversals per path, 0 to ${number(scale)}` : `share of the paths, 0 to ${percent(scale)}`);
  if (mapped) {
    item((s) => svg(s, "circle", { class: "start", cx: 23, cy: 7, r: 6 }), "start");
    item((s) => svg(s, "rect", { class: "end", x: 18, y: 2, width: 10, height: 10 }), "end, area by share");
  }
  if (data.reward) item((s) => svg(s, "line", { class: "rim", "stroke-width": 8, x1: 5, x2: 41, y1: 7, y2: 7 }), mapped ? "rewarded in some layer" : "rewarded");
  if (state.filters.length) item((s) => svg(s, "circle", { class: "hit chosen", cx: 23, cy: 7, r: 5 }), "all paths go through it");
}

// told of a path: its vertices, with ×n for n steps at one name.
function pathName(vertices) {
  const parts = [];
  vertices.forEach((v) => {
    if (pad[v]) return;
    const last = parts[parts.length - 1];
    if (last && last.name === data.names[v]) last.n++;
    else parts.push({ name: data.names[v], n: 1 });
  });
  return parts.map(({ name, n }) => (n > 1 ? `${name} ×${n}` : name)).join(" → ");
}

const rows = 20;
function showTable(t) {
  const head = ["path", "count", "share", ...(data.reward ? ["reward"] : []), "vertices"];
  const body = t.kept.slice(0, rows).map((i, k) => { // the most frequent come first
    const vertices = [...t.set.vertices.subarray(i * L, (i + 1) * L)], on = !!state.shown && state.shown.join() === vertices.join();
    const button = element("button", { type: "button", "aria-pressed": on, id: `path-${k}`, "aria-label": `Show path ${k + 1}` }, on ? "Hide" : "Show");
    button.addEventListener("click", () => { state.shown = on ? null : vertices; show(); byId(`path-${k}`).focus(); });
    const cells = [whole(t.set.times[i]), percent(t.set.times[i] / t.n), ...(data.reward ? [number(rewardOf(t.set, i))] : []), pathName(vertices)];
    return element("tr", {}, element("td", {}, button), ...cells.map((c) => element("td", {}, c)));
  });
  byId("paths").replaceChildren(
    element("caption", { className: "note" }, t.kept.length > rows ? `${rows} of ${whole(t.kept.length)} distinct paths` : `${whole(t.kept.length)} distinct paths`),
    element("thead", {}, element("tr", {}, ...head.map((h) => element("th", { scope: "col" }, h)))), element("tbody", {}, ...body));
}

byId("facts").textContent = data.pads.length ? `walks of up to ${L - data.first} places, ${whole(data.spots.filter((_, s) => !padSpot[s] && !waySpot[s]).length)} places` : `${L} layers, ${whole(V)} vertices, ${whole(E)} edges on paths`;
setControls();
filterControls();
show();
