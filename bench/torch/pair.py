"""Pair: what pairs of vertices say of each other, by sweeps over the layers (see ddps/d3pm/pair.go)."""

import math
import time

import torch
from torch import nn

from networks import Chain


class Pair(nn.Module):
    """out(v→w) = ⟨A_v, U_w⟩ + T_w, on the exact denoiser of a chain. Sums over edges are gathers, padded by degree, or
    products with matrices from layer to layer, which on small graphs are faster: fastest tells."""

    def __init__(self, file, abar):
        super().__init__()
        g, p = file.graph, file.param
        self.T, self.spans, self.D = len(abar) - 1, g.spans(), g.D
        self.last = (g.layers[-2], g.layers[-1])
        self.rows = torch.arange(g.R)
        self.chain = Chain(g, file.chain, abar)
        for name, value in p.items():
            self.register_parameter(name.replace(".", "_"), nn.Parameter(value.clone()))
        self.shared = file.config["pair"]["shared"]
        self.register_buffer("row", torch.tensor(self.row_of(g, file.places)))
        layer = torch.zeros(g.V, dtype=torch.long)
        for k in range(len(g.layers) - 1):
            layer[g.layers[k] : g.layers[k + 1]] = k
        self.register_buffer("layer", layer)
        k = torch.arange(1, self.gamma.shape[0] + 1, dtype=torch.float64)
        self.register_buffer("features", torch.cos(math.pi * k * torch.arange(self.T + 1)[:, None] / self.T).float())
        for k, (place, tail) in enumerate(g.entering()):
            zero = (self.spans[k][1] - self.spans[k][0]) * g.D  # a place past the end that holds 0
            self.register_buffer(f"place{k}", torch.where(place < 0, zero, place), persistent=False)
            self.register_buffer(f"tail{k}", tail, persistent=False)
        self.width = [hi - lo for lo, hi in self.spans[1:] + [self.last]]
        for k, (lo, hi) in enumerate(self.spans):
            cell = torch.arange(hi - lo)[:, None] * self.width[k] + (g.head[lo:hi] - g.layers[k + 1]).clamp(min=0)
            self.register_buffer(f"cell{k}", cell.flatten(), persistent=False)  # of each slot, in the matrix
            self.register_buffer(f"slot{k}", g.mask[lo:hi].flatten().nonzero().flatten(), persistent=False)
        self.correction = self.gathered

    def row_of(self, g, places):
        if not self.shared:
            return list(range(g.V))
        rows, known = [], {}
        for v, place in enumerate(places):
            key = place if place >= 0 else ("alone", v)
            rows.append(known.setdefault(key, len(known)))
        return rows

    def vectors(self):
        """a and b, [vertex, H]."""
        a, b = self.a[self.row], self.b[self.row]
        if self.shared:
            b = b + self.b_back[self.layer] * a
            a, b = a * (1 + self.a_layer[self.layer]), b * (1 + self.b_layer[self.layer])
        return a, b

    def weights(self, pi):
        """q by entering edge, [vertex, in-slot, batch], for each layer from the second to the last but one."""
        reach, qs = torch.ones_like(pi[0][:, 0]), []
        for k in range(len(pi) - 1):
            flow = (reach[:, None] * pi[k]).flatten(0, 1)
            flow = torch.cat([flow, torch.zeros_like(flow[:1])])
            into = flow[getattr(self, f"place{k}")]
            reach = into.sum(1)
            qs.append(into / reach[:, None].clamp(min=1e-30))
        return qs

    def before(self, a, qs):
        """A by layer, [vertex, H, batch]."""
        A = [a[: self.spans[0][1], :, None].expand(-1, -1, qs[0].shape[-1])]
        for k, q in enumerate(qs):
            lo, hi = self.spans[k + 1]
            tails = A[-1][getattr(self, f"tail{k}")]  # [vertex, in-slot, H, batch]
            A.append(a[lo:hi, :, None] + (tails * q[:, :, None]).sum(1))
        return A

    def fastest(self, batch):
        """Takes products or gathers, whichever is faster here for a batch."""
        x, t, seconds = torch.zeros(len(self.rows), batch, dtype=torch.long), torch.tensor(1), {}
        for way in (self.gathered, self.dense):
            self.correction, clock = way, []
            for _ in range(3):
                start = time.process_time()
                self(x, t)
                clock.append(time.process_time() - start)
            seconds[way] = min(clock)
        self.correction = min(seconds, key=seconds.get)

    def gathered(self, pi, t):
        """out by layer, [vertex, slot, batch], and anything at padding."""
        a, b = self.vectors()
        gamma = 1 + self.features[t] @ self.gamma  # [H] or [batch, H]
        gb = gamma.T * b[:, :, None] if gamma.dim() > 1 else (gamma * b)[:, :, None]
        A = self.before(a, self.weights(pi))
        lo, hi = self.last
        batch = pi[0].shape[-1]
        U, T, out = gb[lo:hi].expand(-1, -1, batch), torch.zeros(hi - lo, batch, dtype=pi[0].dtype), []
        for k in reversed(range(len(pi))):
            lo, hi = self.spans[k]
            head, shape = getattr(self.chain, f"head{k}"), pi[k].shape
            Uw, Tw = U[head].view(*shape[:2], -1, batch), T[head].view(shape)
            out.append((A[k][:, None] * Uw).sum(2) + Tw)
            S = (pi[k][:, :, None] * Uw).sum(1)
            T = (a[lo:hi, :, None] * S).sum(1) + (pi[k] * Tw).sum(1)
            U = gb[lo:hi] + S
        return out[::-1]

    def dense(self, pi, t):
        """gathered with products of matrices of probabilities, [batch, vertex, next vertex], 0 where there is no edge."""
        a, b = self.vectors()
        gamma = 1 + self.features[t] @ self.gamma
        gb = gamma[..., None, :] * b
        batch = pi[0].shape[-1]
        P = [self.matrix(k, row, batch) for k, row in enumerate(pi)]
        A, reach = [a[: self.spans[0][1]].expand(batch, -1, -1)], torch.ones(batch, 1)
        for k in range(len(pi) - 1):
            lo, hi = self.spans[k + 1]
            flow = reach[:, :, None] * P[k]
            reach = flow.sum(1)
            A.append(a[lo:hi] + torch.bmm(flow.transpose(1, 2), A[-1]) / reach[:, :, None].clamp(min=1e-30))
        lo, hi = self.last
        U, T, out = gb[..., lo:hi, :].expand(batch, -1, -1), torch.zeros(batch, hi - lo), []
        for k in reversed(range(len(pi))):
            lo, hi = self.spans[k]
            z = torch.baddbmm(T[:, None], A[k], U.transpose(1, 2)).flatten(1)
            out.append(z[:, getattr(self, f"cell{k}")].T.reshape(pi[k].shape))
            S = torch.bmm(P[k], U)
            T = (a[lo:hi] * S).sum(2) + torch.bmm(P[k], T[:, :, None])[..., 0]
            U = gb[..., lo:hi, :] + S
        return out[::-1]

    def matrix(self, k, row, batch):
        lo, hi = self.spans[k]
        place, width = getattr(self, f"slot{k}"), self.width[k]
        p = torch.zeros(batch, (hi - lo) * width)
        p[:, getattr(self, f"cell{k}")[place]] = row.flatten(0, 1)[place].T
        return p.view(batch, hi - lo, width)

    def log_prob(self, x, t):
        with torch.no_grad():
            rows = self.chain.sweep(self.chain.weights(x, t))
        base = torch.cat(rows).log().clamp(min=-1e30)
        return (torch.cat(self.correction(rows, t)) + base).log_softmax(1)

    def logits(self, x, t):
        """The correction alone, [row, slot, batch]."""
        return torch.cat(self.correction(self.chain.sweep(self.chain.weights(x, t)), t))

    def forward(self, x, t):
        rows = self.chain.sweep(self.chain.weights(x, t))
        out = torch.cat(self.correction(rows, t))
        pi = torch.cat(rows)
        out = torch.where(pi > 0, out, -1e30)
        pi = pi * (out - out.amax(1, keepdim=True)).exp()
        return pi / pi.sum(1, keepdim=True)
