"""A model's file (safetensors, as ddps writes it) as padded tables of tensors.

Layouts: rows are the vertices of all layers but the last, by number; a row has D slots, one an out-edge, the rest
padding. Numbers of samples are batch-last, [row, slot, batch]: gathers then copy whole blocks of memory.
"""

import json

import torch
from safetensors import safe_open


class Graph:
    """The layered graph. An edge's number is its place in the order of the tails, then of the slots."""

    def __init__(self, layers):
        sizes = [len(layer) for layer in layers]
        first = [sum(sizes[:k]) for k in range(len(sizes) + 1)]
        self.layers, self.V, self.R = first, first[-1], first[-2]
        heads = [[first[k + 1] + w for w in out] for k, layer in enumerate(layers[:-1]) for out in layer]
        self.E = sum(len(out) for out in heads)
        self.D = max(len(out) for out in heads)
        self.degree = torch.tensor([len(out) for out in heads])
        self.edge = torch.full((self.R, self.D), -1)  # [row, slot] edge, -1 where there is none
        self.head = torch.zeros((self.R, self.D), dtype=torch.long)  # [row, slot] vertex
        e = 0
        for v, out in enumerate(heads):
            for d, w in enumerate(out):
                self.edge[v, d], self.head[v, d] = e, w
                e += 1
        self.mask = self.edge >= 0
        self.flat = self.mask.flatten().nonzero().flatten()  # [edge] place in the flattened rows

    def spans(self):
        """(first, end) of the rows of each layer but the last."""
        return list(zip(self.layers[:-2], self.layers[1:-1]))

    def by_edge(self, x):
        """[row, slot, batch] as [batch, edge]."""
        return x.reshape(self.R * self.D, -1)[self.flat].T


def lower(x):
    """Go's field names in lower case."""
    return {k.lower(): lower(v) for k, v in x.items()} if isinstance(x, dict) else x


class ModelFile:
    """What a model's file holds."""

    def __init__(self, path):
        with safe_open(path, framework="pt") as f:
            meta = f.metadata()
            self.config = lower(json.loads(meta["config"]))
            layout = json.loads(meta["graph"])
            self.graph = Graph(layout["layers"])
            self.param = {k.removeprefix("param."): f.get_tensor(k) for k in f.keys() if k.startswith("param.")}
            self.chain = f.get_tensor("chain")
