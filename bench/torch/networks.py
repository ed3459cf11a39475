"""The networks of ddps/d3pm in PyTorch, on the same weights. Each maps x, [row, batch] (the slot chosen at each row),
to π, [row, slot, batch], 0 at padding. Sums over the edges of a layer are gathers, as in the native engine."""

import math

import torch
import torch.nn.functional as F
from torch import nn


def sinusoids(T, features):
    """[T+1, features]: sin, then cos, of t·10000^(-k/K)."""
    K = features // 2
    angle = torch.arange(T + 1, dtype=torch.float64)[:, None] * 10000 ** (-torch.arange(K, dtype=torch.float64) / K)
    return torch.cat([angle.sin(), angle.cos()], 1).float()


def schedule(T):
    """ᾱ_0…ᾱ_T of the cosine schedule."""
    f = [math.cos((t / T + 0.008) / 1.008 * math.pi / 2) ** 2 for t in range(T + 1)]
    abar = [1.0]
    for t in range(1, T + 1):
        abar.append(abar[-1] * (1 - min(1 - f[t] / f[t - 1], 0.999)))
    return torch.tensor(abar, dtype=torch.float64)


class Chain(nn.Module):
    """The exact denoiser of a chain π⁰: π_v(e) ∝ π⁰_v(e)·(1 + ratio·D_v·1[x_t^v = e])·m_head(e), layer by layer
    from the last, ratio = ᾱ_t/(1−ᾱ_t)."""

    def __init__(self, graph, prob, abar):
        super().__init__()
        self.spans = graph.spans()
        p = torch.zeros(graph.R * graph.D)
        p[graph.flat] = prob.float()
        self.register_buffer("p", p.view(graph.R, graph.D, 1))
        self.register_buffer("degree", graph.degree.float()[:, None, None])
        self.register_buffer("slot", torch.arange(graph.D)[None, :, None])
        self.register_buffer("ratio", (abar / (1 - abar)).float().nan_to_num(posinf=0))
        for k, (lo, hi) in enumerate(self.spans):
            head = (graph.head[lo:hi] - graph.layers[k + 1]).clamp(min=0)
            self.register_buffer(f"head{k}", head.flatten(), persistent=False)

    def forward(self, x, t):
        """[row, slot, batch]; t is a tensor of no or [batch] dimensions."""
        return torch.cat(self.sweep(self.weights(x, t)))

    def weights(self, x, t):
        """π⁰ times what x_t says of each slot."""
        return torch.where(x[:, None] == self.slot, 1 + self.ratio[t] * self.degree, 1.0) * self.p

    def sweep(self, q):
        pi, m = [], None
        for k in reversed(range(len(self.spans))):
            lo, hi = self.spans[k]
            row = q[lo:hi]
            if m is not None:
                row = row * m.index_select(0, getattr(self, f"head{k}")).view(row.shape)
            m = row.sum(1)
            pi.append(torch.where(m[:, None] > 0, row / m[:, None], self.p[lo:hi]))
            m = m / m.amax(0)
        return pi[::-1]


class MLP(nn.Module):
    """h = silu(Σ Emb[x] + W_t·f(t) + b), h += silu(W_k·h + b_k), logits = W_out·h + b_out. The first layer is a sum of
    rows (embedding_bag), never a product with a one-hot; the last gives the slots of the rows with a choice alone."""

    def __init__(self, file, abar):
        super().__init__()
        g, cfg, p = file.graph, file.config["mlp"], file.param
        self.residual, self.layers = cfg["residual"], cfg["layers"]
        E, features, w = g.E, cfg["time"], p["in"]
        self.embed = nn.Parameter(w[:E].clone())
        self.time, self.time_bias = nn.Parameter(w[E : E + features].clone()), nn.Parameter(w[-1].clone())
        self.register_buffer("features", sinusoids(len(abar) - 1, features))
        for k in range(self.layers):
            linear = nn.Linear(*p[f"hidden{k}.weight"].shape)
            linear.weight, linear.bias = nn.Parameter(p[f"hidden{k}.weight"]), nn.Parameter(p[f"hidden{k}.bias"])
            self.add_module(f"hidden{k}", linear)
        # rows with a choice, and for a plain network no others
        self.choice = (g.degree > 1).nonzero().flatten()
        self.rows = torch.arange(g.R) if self.residual else self.choice
        self.out = Padded(g, self.rows, p["out.weight"], p["out.bias"])
        self.chain = Chain(g, file.chain, abar) if self.residual else None
        pick = self.choice if self.residual else torch.arange(len(self.choice))
        self.register_buffer("pick", pick)
        self.register_buffer("first", g.edge[self.choice, 0][:, None])

    def hidden(self, x, t):
        edges = (x.index_select(0, self.pick) if self.residual else x) + self.first
        h = F.embedding_bag(edges.T.contiguous(), self.embed, mode="sum")
        h = F.silu(h + (self.features[t] @ self.time + self.time_bias))
        for k in range(self.layers):
            h = h + F.silu(getattr(self, f"hidden{k}")(h))
        return h

    def logits(self, x, t):
        return self.out(self.hidden(x, t))

    def log_prob(self, x, t):
        z = self.logits(x, t)
        if self.chain is not None:
            with torch.no_grad():
                base = self.chain(x, t).log()
            z = z + base.clamp(min=-1e30)
        return z.log_softmax(1)

    def forward(self, x, t):
        z = self.logits(x, t)
        if self.chain is None:
            return z.softmax(1)
        pi = self.chain(x, t) * (z - z.amax(1, keepdim=True)).exp()
        return pi / pi.sum(1, keepdim=True)


class Padded(nn.Module):
    """A last layer by edge, of weights [edge, H], as one of [row, slot, batch]: -inf at padding."""

    def __init__(self, graph, rows, weight, bias):
        super().__init__()
        edge, mask = graph.edge[rows].clamp(min=0).flatten(), graph.mask[rows].flatten()
        self.shape = (len(rows), graph.D)
        self.weight = nn.Parameter(weight[edge] * mask[:, None])
        self.bias = nn.Parameter(bias[edge].masked_fill(~mask, -1e30)[:, None])

    def forward(self, h):
        return torch.addmm(self.bias, self.weight, h.T).view(*self.shape, -1)
