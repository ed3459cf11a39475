"""The U-Net over the vertex axis of ddps/d3pm/unet.go, plain (not residual), on the same weights."""

import torch
import torch.nn.functional as F
from torch import nn

from networks import sinusoids

EPS = 1e-5


def norm_silu(x):
    return F.silu(F.rms_norm(x, x.shape[-1:], eps=EPS))


class Conv(nn.Module):
    """A convolution along the vertices of maps [batch, vertex, channel], channels_last for the library."""

    def __init__(self, weight, bias, K):
        super().__init__()
        to = weight.shape[0]
        weight = weight.view(to, K, -1).permute(0, 2, 1)[:, :, None]
        self.weight = nn.Parameter(weight.contiguous(memory_format=torch.channels_last))
        self.bias, self.K = nn.Parameter(bias.clone()), K

    def forward(self, x):
        y = F.conv2d(x[:, None].permute(0, 3, 1, 2), self.weight, self.bias, padding=(0, self.K // 2))
        return y.permute(0, 2, 3, 1)[:, 0]


class Block(nn.Module):
    """(s, b) = W_t·τ + b_t; y = conv(silu(norm(h))); h·W + conv(silu(norm(y)·(1 + s) + b))."""

    def __init__(self, param, name, K, norm):
        super().__init__()
        self.conv1 = Conv(param[name + ".conv1.weight"], param[name + ".conv1.bias"], K)
        self.conv2 = Conv(param[name + ".conv2.weight"], param[name + ".conv2.bias"], K)
        self.film = nn.Linear(*reversed(param[name + ".time.weight"].shape))
        self.film.weight = nn.Parameter(param[name + ".time.weight"].clone())
        self.film.bias = nn.Parameter(param[name + ".time.bias"].clone())
        skip = param.get(name + ".skip.weight")
        self.skip = None if skip is None else nn.Parameter(skip.clone())

    def forward(self, h, tau):
        scale, shift = self.film(tau)[..., None, :].chunk(2, -1)
        y = self.conv1(norm_silu(h))
        y = self.conv2(F.silu(F.rms_norm(y, y.shape[-1:], eps=EPS) * (1 + scale) + shift))
        return (h if self.skip is None else F.linear(h, self.skip)) + y


class UNet(nn.Module):
    def __init__(self, file, abar):
        super().__init__()
        g, cfg, p = file.graph, file.config["unet"], file.param
        assert cfg["norm"] and not cfg["residual"], "only the default U-Net, with norm and plain, is here"
        self.levels, self.D = cfg["levels"], g.D
        self.pad = -g.V % (1 << self.levels)
        self.rows = (g.degree > 1).nonzero().flatten()
        self.embed = nn.Parameter(p["in.weight"].flatten(0, 1).clone())
        # place of each row's first slot in embed; vertices without a choice read a row of zeros past the end
        base = torch.full((g.V,), g.V * g.D)
        base[self.rows] = self.rows * g.D
        self.register_buffer("base", base[:, None])
        self.register_buffer("features", sinusoids(len(abar) - 1, cfg["time"]))
        for k in ("time1", "time2"):
            linear = nn.Linear(*reversed(p[k + ".weight"].shape))
            linear.weight, linear.bias = nn.Parameter(p[k + ".weight"].clone()), nn.Parameter(p[k + ".bias"].clone())
            self.add_module(k, linear)
        stages = [f"down{l}" for l in range(self.levels)] + ["middle"] + [f"up{l}" for l in reversed(range(self.levels))]
        self.stage = nn.ModuleDict(
            {s: nn.ModuleList(Block(p, f"{s}.{k}", cfg["kernel"], cfg["norm"]) for k in range(cfg["blocks"])) for s in stages}
        )
        self.out = nn.Parameter(p["out.weight"][self.rows].clone())  # [row, slot, C]
        self.register_buffer("never", torch.where(g.mask[self.rows], 0.0, -1e30)[:, :, None])
        self.out_bias = nn.Parameter(p["out.bias"][self.rows].clone())

    def blocks(self, name, h, tau):
        for block in self.stage[name]:
            h = block(h, tau)
        return h

    def logits(self, x, t):
        """[row, slot, batch]."""
        V, batch = len(self.base), x.shape[-1]
        full = self.base.expand(V, batch).clone()
        full[self.rows] += x
        table = torch.cat([self.embed, torch.zeros_like(self.embed[:1])])
        h = F.pad(table[full.T], (0, 0, 0, self.pad))
        tau = F.silu(self.time2(F.silu(self.time1(self.features[t]))))
        skips = []
        for l in range(self.levels):
            h = self.blocks(f"down{l}", h, tau)
            skips.append(h)
            h = h.view(batch, -1, 2, h.shape[-1]).mean(2)
        h = self.blocks("middle", h, tau)
        for l in reversed(range(self.levels)):
            h = torch.cat([h.repeat_interleave(2, 1), skips[l]], -1)
            h = self.blocks(f"up{l}", h, tau)
        h = norm_silu(h[:, self.rows])
        return torch.bmm(self.out, h.permute(1, 2, 0)) + self.out_bias[:, :, None] + self.never

    def log_prob(self, x, t):
        return self.logits(x, t).log_softmax(1)

    def forward(self, x, t):
        return self.logits(x, t).softmax(1)
