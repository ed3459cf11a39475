"""The reverse process. Kernels are those of ddps/d3pm/kernel.go."""

import torch


class Step(torch.nn.Module):
    """One reverse step t → s: network, kernel, and a draw of each row. x is [row, batch]; at, as_ are ᾱ_t, ᾱ_s, and a
    is their ratio."""

    def __init__(self, net, graph, kernel):
        super().__init__()
        self.net, self.joint = net, kernel == "joint"
        rows = net.rows
        self.register_buffer("inv", 1 / graph.degree[rows].float()[:, None, None])
        self.register_buffer("mask", graph.mask[rows].float()[:, :, None])
        self.register_buffer("slot", torch.arange(graph.D)[None, :, None])
        self.register_buffer("head", graph.head)
        self.layers = len(graph.layers) - 2
        assert not self.joint or len(rows) == graph.R, "joint draws whole paths: it needs all rows"

    def forward(self, x, t, at, as_, a):
        pi = self.net(x, t)
        dist = self.as_joint(pi, x, at, as_, a) if self.joint else self.austin(pi, x, as_, a)
        return self.draw(dist)

    def like(self, x, a):
        """q(x_t | x_s = e)."""
        return torch.where(x[:, None] == self.slot, a, 0.0) + (1 - a) * self.inv

    def austin(self, pi, x, as_, a):
        """∝ Σ_i q(x_s, x_t | x_0 = i) π(i), row by row."""
        return self.like(x, a) * (as_ * pi + (1 - as_) * self.inv) * self.mask

    def as_joint(self, pi, x, at, as_, a):
        """Draws x_0 as a path of the chain π; the rows on it get q(x_s | x_t, x_0), the others K."""
        x0 = self.path(pi)[:, None]
        onto = torch.where(x0 == self.slot, as_, 0.0) + (1 - as_) * self.inv
        q = torch.where(x[:, None] == x0, at, 0.0) + (1 - at) * self.inv
        return self.like(x, a) * torch.where(x0 >= 0, onto / q, 1.0) * self.mask

    def path(self, pi):
        """The slot taken at each row of a path drawn, [row, batch], -1 off it."""
        at = torch.zeros(pi.shape[-1], dtype=torch.long, device=pi.device)
        visited, taken = [], []
        for _ in range(self.layers):
            row = pi.gather(0, at.expand(1, pi.shape[1], -1))
            slot = self.draw(row)[0]
            visited.append(at)
            taken.append(slot)
            at = self.head[at, slot]
        x0 = torch.full((pi.shape[0], pi.shape[2]), -1, device=pi.device)
        return x0.scatter(0, torch.stack(visited), torch.stack(taken))

    def draw(self, dist):
        """One uniform a row, by the inverse of the running sum."""
        c = dist.cumsum(1)
        u = torch.rand_like(c[:, -1]) * c[:, -1]
        return (c[:, :-1] <= u[:, None]).sum(1)

    def last(self, x, t):
        """The step to 0 of joint."""
        return self.draw(self.net(x, t))


def times(T, S):
    t = [T] if S == 1 else [round(1 + (T - 1) * (S - 1 - i) / (S - 1)) for i in range(S)]
    return t + [0]


def sample(run, step, graph, abar, n, steps, limit=None):
    """Draws n PALMs from noise; run is step or what is compiled of it. With limit only the first so many steps are taken."""
    rows = step.net.rows
    x = (torch.rand(len(rows), n) * graph.degree[rows][:, None].float()).long()
    visit, f = times(len(abar) - 1, steps), abar.float()
    for t, s in list(zip(visit, visit[1:]))[:limit]:
        if s == 0 and step.joint:
            x = step.last(x, torch.tensor(t))
        else:
            x = run(x, torch.tensor(t), f[t], f[s], f[t] / f[s])
    return x


def decode(graph, rows, x):
    """The paths of PALMs, [batch, layer]."""
    full = torch.zeros((graph.R, x.shape[1]), dtype=torch.long)
    full[rows] = x
    at, path = torch.zeros(x.shape[1], dtype=torch.long), []
    batch = torch.arange(x.shape[1])
    for _ in range(len(graph.layers) - 2):
        path.append(at)
        at = graph.head[at, full[at, batch]]
    return torch.stack(path + [at], 1)
