"""Training steps: batches as d3pm.Source makes them, cross-entropy on the rows on the path, AdamW, clipping, EMA."""

import torch


class Source:
    """Draws paths by weight as PALMs with fresh off-path rows, then times and noise, all batch-last."""

    def __init__(self, graph, paths, weights, abar):
        self.g, self.abar, self.T = graph, abar.float(), len(abar) - 1
        paths = torch.tensor(paths)
        self.row = paths[:, :-1].T.contiguous()  # [layer, path]
        heads = graph.head[self.row]
        match = (heads == paths[:, 1:].T[:, :, None]) & graph.mask[self.row]
        self.slot = match.long().argmax(2)
        self.total = torch.tensor(weights, dtype=torch.float64).cumsum(0)
        self.degree = graph.degree[:, None].float()

    def batch(self, n):
        """x_t [row, n], t [n], and the rows and slots of x_0 on the path, [layer, n]."""
        i = torch.searchsorted(self.total, torch.rand(n, dtype=torch.float64) * self.total[-1], right=True)
        row, slot = self.row[:, i], self.slot[:, i]
        x = (torch.rand(self.g.R, n) * self.degree).long().scatter(0, row, slot)
        t = 1 + (self.T * (torch.arange(n) + torch.rand(n)) / n).long().clamp(max=self.T - 1)
        fresh = (torch.rand(self.g.R, n) * self.degree).long()
        return torch.where(torch.rand(self.g.R, n) < self.abar[t], x, fresh), t, row, slot


class Trainer:
    """One step is one batch, made and learnt from."""

    def __init__(self, net, source, compiled):
        self.source = source
        place = torch.full((source.g.R,), -1)
        place[net.rows] = torch.arange(len(net.rows))
        self.rows, self.place = net.rows, place
        self.weights = [p for p in net.parameters() if p.requires_grad]
        self.opt = torch.optim.AdamW(self.weights, lr=2e-3, weight_decay=0.01, fused=True)
        self.ema = [p.detach().clone() for p in self.weights]
        self.loss = self.build(net)
        if compiled:
            self.loss = torch.compile(self.loss, dynamic=False)

    def build(self, net):
        def loss(x, t, at, slot):
            log_pi = net.log_prob(x, t)  # [row, slot, batch]
            picked = log_pi.flatten(0, 1).gather(0, at.clamp(min=0) * log_pi.shape[1] + slot)
            return -torch.where(at >= 0, picked, 0.0).sum() / x.shape[-1]

        return loss

    def step(self, n):
        x, t, row, slot = self.source.batch(n)
        loss = self.loss(x[self.rows], t, self.place[row], slot)
        self.opt.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.weights, 1.0)
        self.opt.step()
        torch._foreach_lerp_(self.ema, self.weights, 0.001)
        return loss
