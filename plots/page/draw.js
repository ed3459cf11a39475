// The map and the layers as SVG. A figure is made once, and painted anew for each tally.
const svgNS = "http://www.w3.org/2000/svg";
function svg(parent, name, attributes, text) {
  const e = document.createElementNS(svgNS, name);
  for (const k in attributes) e.setAttribute(k, attributes[k]);
  if (text !== undefined) e.textContent = text;
  if (parent) parent.append(e);
  return e;
}
const tip = (e, text) => (e.lastElementChild?.tagName === "title" ? e.lastElementChild : svg(e, "title", {})).textContent = text;
const shade = (s) => "u" + Math.min(9, Math.floor(10 * Math.min(1, s)));

// The figures' room, in the units of the view box.
const W = 640;

// zoomed keeps the text of a figure at its size on the screen, however large the figure is.
const zoomed = new ResizeObserver((list) => list.forEach(({ target, contentRect: r }) => {
  const { width, height } = target.viewBox.baseVal;
  if (r.width > 0) target.style.setProperty("--zoom", Math.min(3, Math.max(0.6, width / r.width, height / r.height)).toFixed(3));
}));

// mapLayout gives the map's view box and where each spot is.
function mapLayout() {
  const lo = [Infinity, Infinity], hi = [-Infinity, -Infinity];
  for (const { xy } of data.spots) {
    if (xy) [0, 1].forEach((k) => { lo[k] = Math.min(lo[k], xy[k]); hi[k] = Math.max(hi[k], xy[k]); });
  }
  const pad = 18, foot = 22, w = Math.max(hi[0] - lo[0], 1e-9), h = Math.max(hi[1] - lo[1], 1e-9);
  const scale = Math.min((W - 2 * pad) / w, (0.95 * W - 2 * pad) / h);
  const H = Math.max(160, h * scale + 2 * pad + foot), left = (W - w * scale) / 2;
  const at = data.spots.map(({ xy }) => xy && [left + (xy[0] - lo[0]) * scale, pad + (hi[1] - xy[1]) * scale]);
  return { H, scale, at };
}

// layerLayout gives that of the layers, and where each vertex is.
function layerLayout() {
  let widest = 1;
  for (let l = 0; l < L; l++) widest = Math.max(widest, data.layers[l + 1] - data.layers[l]);
  const head = 24, dx = W / (L - data.first), dy = Math.min(64, Math.max(320, Math.min(620, 13 * widest)) / widest), H = head + dy * widest + 8;
  const at = [];
  for (let l = 0; l < L; l++) {
    const size = data.layers[l + 1] - data.layers[l];
    for (let k = 0; k < size; k++) at.push([dx * (l + 0.5 - data.first), head + (H - head) / 2 + dy * (k - (size - 1) / 2)]);
  }
  return { H, at, radius: Math.min(16, 0.36 * dy, 0.3 * dx), dx, dy };
}

const lineOf = (a, b) => ({ x1: a[0].toFixed(1), y1: a[1].toFixed(1), x2: b[0].toFixed(1), y2: b[1].toFixed(1) });

// mapFigure draws the streets; choose is called with a spot that is clicked.
function mapFigure(choose) {
  const { H, scale, at } = mapLayout(), root = svg(null, "svg", { class: "map", viewBox: `0 0 ${W} ${H.toFixed(0)}`, role: "img" });
  const rims = streets.map((s) => s.rewarded && svg(root, "line", { class: "rim", ...lineOf(at[s.a], at[s.b]) }));
  const base = svg(root, "g", {}), used = svg(root, "g", {}), dots = svg(root, "g", {}), ends = svg(root, "g", {});
  const lines = streets.map((s) => {
    svg(base, "line", { class: "street", "stroke-width": 1.2, ...lineOf(at[s.a], at[s.b]) });
    return svg(used, "line", { ...lineOf(at[s.a], at[s.b]) });
  });
  const squares = at.map((p, k) => p && (svg(dots, "circle", { class: "vertex", cx: p[0], cy: p[1], r: waySpot[k] ? 0.7 : 1.8 }), svg(ends, "rect", { class: "end" })));
  const starts = at.map((p) => p && svg(root, "circle", { class: "start", cx: p[0], cy: p[1], r: 6.5, visibility: "hidden" }));
  const path = svg(root, "polyline", { class: "shown" });
  if (data.metres) bar(root, H, scale);
  const hits = at.map((p, s) => {
    if (!p) return null;
    const c = svg(root, "circle", { class: "hit", cx: p[0], cy: p[1], r: 9 });
    c.addEventListener("click", () => choose({ spot: s, layer: -1 }));
    return c;
  });
  const paint = (t, top, filters, shown) => {
    const n = Math.max(1, t.n);
    lines.forEach((line, k) => {
      const s = t.streets[k] / n / top, width = t.streets[k] ? 1.6 + 5.4 * Math.min(1, s) : 0;
      line.setAttribute("stroke-width", width.toFixed(2));
      line.setAttribute("class", "street " + shade(s));
      tip(line, `${data.spots[streets[k].a].name} – ${data.spots[streets[k].b].name}: ${number(t.streets[k] / n)} traversals per path (${whole(t.streets[k])})`);
      if (rims[k]) rims[k].setAttribute("stroke-width", (Math.max(1.2, width) + 6).toFixed(2));
    });
    const begun = starting(t);
    at.forEach((p, s) => {
      if (!p) return;
      const r = 12 * Math.sqrt(t.ends[s] / n);
      for (const [k, v] of [["x", p[0] - r], ["y", p[1] - r], ["width", 2 * r], ["height", 2 * r]]) squares[s].setAttribute(k, v.toFixed(2));
      starts[s].setAttribute("visibility", begun.has(s) ? "visible" : "hidden");
      hits[s].setAttribute("class", filters.some((f) => f.spot === s) ? "hit chosen" : "hit");
      tip(hits[s], `${data.spots[s].name}: ${percent(t.visits[s] / n)} of the paths visit it (${whole(t.visits[s])}), ${percent(t.ends[s] / n)} end here`);
    });
    path.setAttribute("points", shown ? shown.map((v) => at[data.spot[v]]).filter(Boolean).map((p) => p.map((x) => x.toFixed(1))).join(" ") : "");
  };
  return { root, paint };
}

// starting returns the spots on the map that paths visit in the first layer that has any.
function starting(t) {
  for (let l = 0; l < L; l++) {
    const found = new Set();
    for (let v = data.layers[l]; v < data.layers[l + 1]; v++) if (t.vertices[v] > 0 && data.spots[data.spot[v]].xy) found.add(data.spot[v]);
    if (found.size) return found;
  }
  return new Set();
}

// bar draws a round length at the map's foot.
function bar(root, H, scale) {
  const room = W / 5 / scale, power = 10 ** Math.floor(Math.log10(room));
  const metres = power * [5, 2, 1].find((k) => k * power <= room), end = 8 + metres * scale;
  svg(root, "path", { class: "bar", d: `M8 ${H - 12} v4 H${end.toFixed(1)} v-4` });
  svg(root, "text", { x: (end + 6).toFixed(1), y: H - 6 }, metres >= 1000 ? metres / 1000 + " km" : metres + " m");
}

// layersFigure draws the graph layer by layer; a click chooses a vertex.
function layersFigure(choose) {
  const { H, at, radius, dx, dy } = layerLayout(), root = svg(null, "svg", { viewBox: `0 0 ${W} ${H.toFixed(0)}`, role: "img" });
  for (let l = data.first; l < L; l += Math.ceil(24 / dx)) svg(root, "text", { x: dx * (l + 0.5 - data.first), y: 16, "text-anchor": "middle" }, String(l + 1 - data.first));
  const all = [...tail.keys()].filter((e) => !pad[tail[e]]), ends = (e) => lineOf(at[tail[e]], at[data.heads[e]]);
  const rims = new Map(all.filter((e) => data.reward && data.reward[e] > 0).map((e) => [e, svg(root, "line", { class: "rim", ...ends(e) })]));
  const base = svg(root, "g", {}), used = svg(root, "g", {});
  const thin = Math.min(1, 0.25 + radius / 8);
  const lines = new Map(all.map((e) => [e, (svg(base, "line", { class: "street", "stroke-width": (0.8 * thin).toFixed(2), ...ends(e) }), svg(used, "line", ends(e)))]));
  const named = radius >= 7 && data.names.every((n, v) => pad[v] || way[v] || n.length <= 4);
  const letters = dy >= 10 ? Math.floor((dx - 8) / 6) : 0; // that fit beside a vertex
  const short = (n) => ([...n].length <= letters ? n : [...n].slice(0, letters - 1).join("") + "…");
  const path = svg(root, "polyline", { class: "shown" });
  at.forEach((p, v) => {
    if (v === 0 && data.first) return; // the source
    const place = !pad[v] && !way[v];
    svg(root, "circle", { class: named && place ? "disc" : "vertex", cx: p[0], cy: p[1], r: named && place ? radius : Math.min(place ? 2.5 : 1.2, radius) });
    if (!named && place && letters >= 3) svg(root, "text", { class: "beside", x: p[0] + 4, y: p[1] }, short(data.names[v]));
    if (named && place) svg(root, "text", { class: "inside", x: p[0], y: p[1] }, data.names[v]);
  });
  const hits = at.map((p, v) => {
    if (pad[v]) return null;
    const c = svg(root, "circle", { class: "hit", cx: p[0], cy: p[1], r: Math.max(3, Math.min(12, 1.3 * radius)) });
    c.addEventListener("click", () => choose({ spot: data.spot[v], layer: alone(data.spot[v]) ? -1 : layerOf[v] }));
    return c;
  });
  const paint = (t, top, filters, shown) => {
    const n = Math.max(1, t.n);
    for (const e of all) {
      const s = t.edges[e] / n / top, width = t.edges[e] ? thin * (1 + 6 * Math.min(1, s)) : 0;
      lines.get(e).setAttribute("stroke-width", width.toFixed(2));
      lines.get(e).setAttribute("stroke-opacity", (0.25 + 0.75 * Math.sqrt(Math.min(1, s))).toFixed(2));
      lines.get(e).setAttribute("class", "street " + shade(s));
      tip(lines.get(e), `${data.names[tail[e]]} ${pad[data.heads[e]] ? "ends" : "→ " + data.names[data.heads[e]]}, layer ${layerOf[tail[e]] + 1 - data.first}: ${percent(t.edges[e] / n)} of the paths (${whole(t.edges[e])})`);
      if (rims.has(e)) rims.get(e).setAttribute("stroke-width", (Math.max(1, width) + 5 * thin).toFixed(2));
    }
    hits.forEach((c, v) => {
      if (!c) return;
      const on = filters.some((f) => f.spot === data.spot[v] && (f.layer < 0 || f.layer === layerOf[v]));
      c.setAttribute("class", on ? "hit chosen" : "hit");
      tip(c, `${data.names[v]}, layer ${layerOf[v] + 1 - data.first}: ${percent(t.vertices[v] / n)} of the paths visit it (${whole(t.vertices[v])})`);
    });
    path.setAttribute("points", shown ? shown.filter((v) => !pad[v]).map((v) => at[v].map((x) => x.toFixed(1))).join(" ") : "");
  };
  return { root, paint };
}
