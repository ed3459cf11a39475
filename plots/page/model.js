// The paths of each set as numbers, what a filter leaves of them, and what those use. Vertices, edges and layers are
// numbered from 0, as in the data; a filter is { spot, layer }, with layer -1 for any.
const data = JSON.parse(document.getElementById("data").textContent);
const L = data.layers.length - 1, V = data.names.length, E = data.heads.length;
const first = new Int32Array(V + 1), tail = new Int32Array(E), layerOf = new Int32Array(V);
for (let v = 0; v < V; v++) {
  first[v + 1] = first[v] + data.degrees[v];
  tail.fill(v, first[v], first[v + 1]);
}
for (let l = 0; l < L; l++) layerOf.fill(l, data.layers[l], data.layers[l + 1]);

// pad marks source and END, which are no places of a walk; way what is on the way between two places.
const pad = new Uint8Array(V), way = new Uint8Array(V);
data.pads.forEach((v) => (pad[v] = 1));
data.way.forEach((v) => (way[v] = 1));
const padSpot = data.spots.map(() => false), waySpot = data.spots.map(() => false);
data.spot.forEach((s, v) => { if (pad[v]) padSpot[s] = true; if (way[v]) waySpot[s] = true; });
// ended reports whether a path ends with vertex v of layer l, END or no layer behind it.
const ended = (vertices, at, l) => l === L - 1 || (pad[vertices[at + l + 1]] && !pad[vertices[at + l]]);

// streets are the pairs of spots that edges join, on the map: both ways and in all layers; streetOf[e] is -1 for a wait
// and for what is not on the map.
const streets = [], streetOf = new Int32Array(E).fill(-1);
if (data.mapped) {
  const at = new Map();
  for (let e = 0; e < E; e++) {
    const a = data.spot[tail[e]], b = data.spot[data.heads[e]];
    if (a === b || !data.spots[a].xy || !data.spots[b].xy) continue;
    const key = Math.min(a, b) * data.spots.length + Math.max(a, b);
    if (!at.has(key)) {
      at.set(key, streets.length);
      streets.push({ a, b, rewarded: false });
    }
    streetOf[e] = at.get(key);
    if (data.reward && data.reward[e] > 0) streets[streetOf[e]].rewarded = true;
  }
}

// unpack turns a set's text into vertices [path, layer], edges [path, layer] and counts, once.
const digit = new Int8Array(128);
[..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"].forEach((c, k) => (digit[c.charCodeAt(0)] = k));
function unpack(set) {
  if (set.vertices) return set;
  const n = set.text.length / ((L - 1) * data.width);
  set.vertices = new Int32Array(n * L);
  set.edges = new Int32Array(n * (L - 1));
  set.times = set.counts ? Int32Array.from(set.counts) : new Int32Array(n).fill(1);
  for (let i = 0, at = 0; i < n; i++) {
    let v = 0;
    for (let l = 1; l < L; l++) {
      let slot = 0;
      for (let k = 0; k < data.width; k++) slot = 64 * slot + digit[set.text.charCodeAt(at++)];
      const e = first[v] + slot;
      set.edges[i * (L - 1) + l - 1] = e;
      set.vertices[i * L + l] = v = data.heads[e];
    }
  }
  return set;
}

// tally adds up what the paths of a set that pass all filters use: each edge and street, and how many visit each spot
// and end there.
function tally(set, filters) {
  unpack(set);
  const t = { set, kept: [], n: 0, edges: new Float64Array(E), streets: new Float64Array(streets.length),
    visits: new Float64Array(data.spots.length), ends: new Float64Array(data.spots.length), vertices: new Float64Array(V), reward: 0, best: 0 };
  const seen = new Int32Array(data.spots.length).fill(-1);
  for (let i = 0; i < set.times.length; i++) {
    if (!passes(set, i, filters)) continue;
    const times = set.times[i];
    t.kept.push(i);
    t.n += times;
    for (let l = 0; l < L; l++) {
      const v = set.vertices[i * L + l], s = data.spot[v];
      t.vertices[v] += times;
      if (seen[s] !== i) t.visits[s] += times;
      seen[s] = i;
      if (ended(set.vertices, i * L, l)) t.ends[s] += times;
      if (l < L - 1) {
        const e = set.edges[i * (L - 1) + l];
        t.edges[e] += times;
        if (streetOf[e] >= 0) t.streets[streetOf[e]] += times;
      }
    }
    if (data.reward) {
      const r = rewardOf(set, i);
      t.reward += times * r;
      if (Math.abs(r - data.best) <= 1e-9 * Math.max(1, Math.abs(data.best))) t.best += times;
    }
  }
  return t;
}

function passes(set, i, filters) {
  return filters.every(({ spot, layer }) => {
    if (layer >= 0) return data.spot[set.vertices[i * L + layer]] === spot;
    for (let l = 0; l < L; l++) if (data.spot[set.vertices[i * L + l]] === spot) return true;
    return false;
  });
}

function rewardOf(set, i) {
  let sum = 0;
  for (let l = 0; l < L - 1; l++) sum += data.reward[set.edges[i * (L - 1) + l]];
  return sum;
}

// most is the greatest number of traversals per path of a street in a tally, or use of an edge where there is a choice.
function most(t, mapped) {
  const chosen = t.edges.some((n, e) => n > 0 && data.degrees[tail[e]] > 1);
  const list = mapped ? t.streets : chosen ? t.edges.filter((_, e) => data.degrees[tail[e]] > 1) : t.edges;
  return list.reduce((a, b) => Math.max(a, b), 0) / Math.max(1, t.n);
}

// interval is Wilson's 95 % interval of a share of k in n.
function interval(k, n) {
  const z = 1.959964, p = k / n, mid = (p + (z * z) / (2 * n)) / (1 + (z * z) / n);
  const half = (z / (1 + (z * z) / n)) * Math.sqrt((p * (1 - p)) / n + (z * z) / (4 * n * n));
  return [Math.max(0, mid - half), Math.min(1, mid + half)];
}
