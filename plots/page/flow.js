// The flow of paths from layer to layer (Sankey): a column per layer, in it a bar per place as high as its share of the
// paths, and between columns bands as wide as the share of the paths that go so. The places that most paths visit have a
// colour each; in a layer those beyond flowTop are one grey bar, and paths that have ended are pale.
const flowTop = 8, flowColours = 6;

// flowOf gives the bars of each layer, from the top down, the bar of each vertex, and the bands by layer.
function flowOf(t) {
  const n = Math.max(1, t.n), bars = [], bar = new Int32Array(V), bands = [];
  const visits = data.spots.map(() => 0), ending = new Float64Array(V);
  for (let v = 0; v < V; v++) if (!pad[v] && !way[v]) visits[data.spot[v]] += t.vertices[v];
  for (let e = 0; e < E; e++) if (!pad[tail[e]] && pad[data.heads[e]]) ending[data.heads[e]] += t.edges[e];
  const order = visits.map((_, s) => s).filter((s) => visits[s] > 0).sort((a, b) => visits[b] - visits[a] || a - b);
  const rank = new Map(order.map((s, k) => [s, k]));
  for (let l = data.first; l < L; l++) {
    const list = [], ends = [], at = [];
    for (let v = data.layers[l]; v < data.layers[l + 1]; v++) {
      if (pad[v] ? ending[v] > 0 : t.vertices[v] > 0) (pad[v] ? ends : list).push(v);
    }
    list.sort((a, b) => t.vertices[b] - t.vertices[a] || a - b);
    const rest = list.length > flowTop + 1 ? list.splice(flowTop) : [];
    const of = (v) => (way[v] ? Infinity : rank.get(data.spot[v]));
    list.sort((a, b) => (of(a) < of(b) ? -1 : of(a) > of(b) ? 1 : a - b));
    const add = (name, kind, vertices) => {
      if (!vertices.length) return;
      vertices.forEach((v) => (bar[v] = at.length));
      const count = vertices.reduce((sum, v) => sum + (pad[v] ? ending[v] : t.vertices[v]), 0);
      at.push({ name, kind, vertices, count, share: count / n });
    };
    list.forEach((v) => add(nameOf(v), of(v) < flowColours ? "f" + of(v) : "other", [v]));
    add(`${rest.length} other places`, "other", rest);
    add("end", "ended", ends);
    bars.push(at);
    bands.push(new Map());
  }
  for (let e = 0; e < E; e++) {
    const l = layerOf[tail[e]] - data.first;
    if (l < 0 || !t.edges[e] || pad[tail[e]]) continue;
    const key = bar[tail[e]] * 1000 + bar[data.heads[e]], band = bands[l].get(key) || { from: bar[tail[e]], to: bar[data.heads[e]], count: 0 };
    band.count += t.edges[e];
    bands[l].set(key, band);
  }
  return { bars, bar, bands, top: order.slice(0, flowColours) };
}

function flowFigure(choose) {
  const H = 420, head = 24, gap = 4, root = svg(null, "svg", { class: "flow", viewBox: `0 0 ${W} ${H}`, role: "img" });
  const dx = W / (L - data.first), wide = Math.max(2, Math.min(14, 0.2 * dx)), letters = Math.floor((dx - wide - 6) / 6);
  const paint = (t, _, filters, shown) => {
    const { bars, bar, bands } = flowOf(t), n = Math.max(1, t.n);
    const most = Math.max(...bars.map((list) => list.length)), unit = Math.max(40, H - head - gap * (most + 1));
    root.replaceChildren();
    bars.forEach((list, l) => {
      let y = head;
      list.forEach((b) => {
        Object.assign(b, { x: dx * l + 2, y, h: Math.max(0.5, b.share * unit), in: y, out: y });
        y += b.h + gap;
      });
      if (l % Math.ceil(24 / dx) === 0) svg(root, "text", { x: (dx * l + 2).toFixed(1), y: 14 }, String(l + 1));
    });
    bands.forEach((list, l) => [...list.values()].sort((a, b) => a.from - b.from || a.to - b.to).forEach(({ from, to, count }) => {
      const a = bars[l][from], b = bars[l + 1][to], h = (count / n) * unit, x = a.x + wide, z = b.x, mid = (x + z) / 2;
      const f = (...list) => list.map((k) => k.toFixed(1)).join(" ");
      const d = `M${f(x, a.out)} C${f(mid, a.out, mid, b.in, z, b.in)} L${f(z, b.in + h)} C${f(mid, b.in + h, mid, a.out + h, x, a.out + h)} Z`;
      tip(svg(root, "path", { class: `band ${a.kind}`, d }), `${a.name} → ${b.name}, step ${l + 1}: ${percent(count / n)} of the paths (${whole(count)})`);
      a.out += h;
      b.in += h;
    }));
    bars.forEach((list, l) => list.forEach((b) => {
      const v = b.vertices[0], one = b.vertices.length === 1 && !pad[v] && !way[v];
      const on = one && filters.some((f) => f.spot === data.spot[v] && (f.layer < 0 || f.layer === layerOf[v]));
      const box = svg(root, "rect", { class: `flowbar ${b.kind}${one ? " hit" : ""}${on ? " chosen" : ""}`, x: b.x.toFixed(1), y: b.y.toFixed(1), width: wide.toFixed(1), height: b.h.toFixed(1) });
      tip(box, `${b.name}, ${b.kind === "ended" ? "after" : "at"} step ${b.kind === "ended" ? l : l + 1}: ${percent(b.share)} of the paths (${whole(b.count)})`);
      if (one) box.addEventListener("click", () => choose({ spot: data.spot[v], layer: alone(data.spot[v]) ? -1 : layerOf[v] }));
      if (b.h >= 8 && letters >= 2) svg(root, "text", { class: "beside", x: (b.x + wide + 3).toFixed(1), y: (b.y + b.h / 2).toFixed(1) }, shorten(b.name, letters));
    }));
    const line = shown ? shown.filter((v) => !pad[v]).map((v) => bars[layerOf[v] - data.first][bar[v]]) : [];
    svg(root, "polyline", { class: "shown", points: line.map((b) => `${(b.x + wide / 2).toFixed(1)} ${(b.y + b.h / 2).toFixed(1)}`).join(" ") });
  };
  return { root, paint };
}
