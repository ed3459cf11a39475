"""Baselines for real paths: a GRU and a transformer that predict the next token, tuned on validation walks.

    python paths.py DATA OUT.csv [--sets names,flights] [--models gru,transformer] [--seeds 5] [--threads 1]

DATA holds NAME-train.txt[.gz] and NAME-test.txt[.gz], a walk per line, tokens separated by spaces. A row of OUT is a
trained network: its negative log-likelihood on validation and test walks, in nats per walk with the end included, and
the CPU seconds of its training. Rows that OUT has already are not computed again.

Every model is normalised on the same support: any token may start; the pairs of neighbours seen in train and test, in
any position, are the moves, allowed in every position; a walk may end from the shortest length seen on, and ends at the
longest for certain. Settings are chosen on a tenth of the training walks with the first seed; each seed has a division
of its own. The weights of the best validation are kept; there is no refit.
"""

import argparse
import csv
import gzip
import itertools
import math
import os
import random
import time

import torch
from torch import nn
from torch.nn import functional as F

FIELDS = ["set", "model", "width", "layers", "dropout", "lr", "seed", "weights", "epochs", "validation_nll", "test_nll",
          "test_se", "cpu_s"]
PASSES = 30  # at most
PATIENCE = 6  # passes without a gain


def read(folder, name):
    for end in (".txt", ".txt.gz"):
        path = os.path.join(folder, name + end)
        if os.path.exists(path):
            with (gzip.open if end.endswith("gz") else open)(path, "rt", encoding="utf-8") as f:
                return [line.split() for line in f if line.strip()]
    raise SystemExit(f"paths: {folder} has neither {name}.txt nor {name}.txt.gz")


class Walks:
    """The walks of a set as numbers: 0 is the end, and as an input the start; tokens count from 1."""

    def __init__(self, folder, name):
        train, test = read(folder, name + "-train"), read(folder, name + "-test")
        tokens = sorted({t for w in train + test for t in w})
        number = {t: i + 1 for i, t in enumerate(tokens)}
        self.size = len(tokens) + 1
        self.train, self.test = ([[number[t] for t in w] for w in part] for part in (train, test))
        lengths = [len(w) for w in train + test]
        self.least, self.most = min(lengths), max(lengths)
        moves = torch.zeros(self.size, self.size, dtype=torch.bool)
        moves[0, 1:] = True
        for w in self.train + self.test:
            moves[w[:-1], w[1:]] = True
        self.moves = moves

    def batch(self, walks):
        """Inputs [B, L], targets [B, L] (−1 behind the end), and which outputs are allowed [B, L, size]."""
        n = self.most + 1 if self.least < self.most else self.most
        n = min(n, max(map(len, walks)) + 1)
        x, y = torch.zeros(len(walks), n, dtype=torch.long), torch.full((len(walks), n), -1)
        for i, w in enumerate(walks):
            x[i, 1:len(w) + 1] = torch.tensor(w[:n - 1])
            y[i, :len(w)] = torch.tensor(w)
            if len(w) < n:
                y[i, len(w)] = 0
        allowed = self.moves[x]
        at = torch.arange(n)  # tokens before this output
        allowed[:, :, 0] = (at >= self.least)[None, :] & (x > 0)
        allowed[:, at >= self.most, 1:] = False
        allowed[:, at >= self.most, 0] = True
        allowed |= (y < 0)[:, :, None]  # behind the end nothing counts
        return x, y, allowed


class GRU(nn.Module):
    def __init__(self, walks, width, layers, dropout):
        super().__init__()
        self.token, self.position = nn.Embedding(walks.size, width), nn.Embedding(walks.most + 1, width)
        self.net = nn.GRU(width, width, layers, batch_first=True, dropout=dropout if layers > 1 else 0)
        self.drop, self.out = nn.Dropout(dropout), nn.Linear(width, walks.size)

    def forward(self, x):
        h = self.drop(self.token(x) + self.position(torch.arange(x.shape[1])))
        return self.out(self.drop(self.net(h)[0]))


class Transformer(nn.Module):
    def __init__(self, walks, width, layers, dropout):
        super().__init__()
        self.token, self.position = nn.Embedding(walks.size, width), nn.Embedding(walks.most + 1, width)
        layer = nn.TransformerEncoderLayer(width, 4, 4 * width, dropout, F.gelu, batch_first=True, norm_first=True)
        self.net = nn.TransformerEncoder(layer, layers, nn.LayerNorm(width), enable_nested_tensor=False)
        self.drop, self.out = nn.Dropout(dropout), nn.Linear(width, walks.size)

    def forward(self, x):
        n = x.shape[1]
        h = self.drop(self.token(x) + self.position(torch.arange(n)))
        return self.out(self.net(h, mask=nn.Transformer.generate_square_subsequent_mask(n), is_causal=True))


MODELS = {"gru": GRU, "transformer": Transformer}


def nll(model, walks, part):
    """The NLL of each walk of part."""
    model.eval()
    each = []
    with torch.inference_mode():
        for k in range(0, len(part), 512):
            x, y, allowed = walks.batch(part[k:k + 512])
            z = model(x).masked_fill(~allowed, -math.inf)
            loss = F.cross_entropy(z.transpose(1, 2), y, ignore_index=-1, reduction="none")
            each.append(loss.sum(1))
    model.train()
    return torch.cat(each)


def train(kind, walks, width, layers, dropout, lr, seed, passes=PASSES):
    torch.manual_seed(seed)
    rng = random.Random(seed)
    order = list(range(len(walks.train)))
    rng.shuffle(order)
    cut = max(1, min(len(order) // 10, 10000))
    validation, rest = [walks.train[i] for i in order[:cut]], [walks.train[i] for i in order[cut:]]
    model = MODELS[kind](walks, width, layers, dropout)
    size = 64 if len(rest) < 5000 else 256
    per_pass = math.ceil(len(rest) / size)
    every = max(1, min(per_pass, math.ceil(20000 / size)))  # steps between validations
    optim = torch.optim.AdamW(model.parameters(), lr, weight_decay=.01)
    plan = torch.optim.lr_scheduler.OneCycleLR(optim, lr, total_steps=passes * per_pass + 1, pct_start=.05)
    best, kept, stale, step = math.inf, None, 0, 0
    start = time.process_time()
    for _ in range(passes):
        rng.shuffle(rest)
        for k in range(0, len(rest), size):
            x, y, allowed = walks.batch(rest[k:k + size])
            z = model(x).masked_fill(~allowed, -math.inf)
            loss = F.cross_entropy(z.transpose(1, 2), y, ignore_index=-1, reduction="sum") / len(x)
            optim.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1)
            optim.step()
            plan.step()
            step += 1
            if step % every == 0:
                now = nll(model, walks, validation).mean().item()
                if now < best:
                    best, stale = now, 0
                    kept = {n: p.detach().clone() for n, p in model.state_dict().items()}
                else:
                    stale += 1
        if stale >= PATIENCE * max(1, per_pass // every):
            break
    model.load_state_dict(kept)
    test = nll(model, walks, walks.test)
    return {"weights": sum(p.numel() for p in model.parameters()), "epochs": round(step / per_pass, 2),
            "validation_nll": round(best, 5), "test_nll": round(test.mean().item(), 5),
            "test_se": round(test.std().item() / math.sqrt(len(test)), 5),
            "cpu_s": round(time.process_time() - start, 1)}


def settings(kind, walks):
    """What is tried: two widths and two dropouts, the higher ones on small sets."""
    drops = [.3, .5] if len(walks.train) < 5000 else [.1, .25]
    layers, lr = (1, 3e-3) if kind == "gru" else (2, 1e-3)
    return [dict(width=w, layers=layers, dropout=d, lr=lr) for w, d in itertools.product([64, 128], drops)]


def passes_of(walks):
    """Thirty passes over small sets, six over large ones."""
    return PASSES if len(walks.train) < 50000 else 6


def key(row):
    return tuple(str(row[f]) for f in FIELDS[:7])


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("data")
    p.add_argument("out")
    p.add_argument("--sets", default="names,flights,sepsis,mvad")
    p.add_argument("--models", default="gru,transformer")
    p.add_argument("--seeds", type=int, default=5)
    p.add_argument("--threads", type=int, default=1)
    a = p.parse_args()
    torch.set_num_threads(a.threads)
    rows = []
    if os.path.exists(a.out):
        with open(a.out, newline="") as f:
            rows = list(csv.DictReader(f))
    have = {key(r): r for r in rows}

    def measure(name, walks, kind, cfg, seed):
        row = dict(set=name, model=kind, seed=seed, **cfg)
        if key(row) not in have:
            row.update(train(kind, walks, **cfg, seed=seed, passes=passes_of(walks)))
            have[key(row)] = row
            rows.append(row)
            with open(a.out + ".tmp", "w", newline="") as f:
                w = csv.DictWriter(f, FIELDS)
                w.writeheader()
                w.writerows(rows)
            os.replace(a.out + ".tmp", a.out)
            print(row, flush=True)
        return have[key(row)]

    for name in a.sets.split(","):
        walks = Walks(a.data, name)
        for kind in a.models.split(","):
            best = min(settings(kind, walks),
                       key=lambda c: float(measure(name, walks, kind, c, 1)["validation_nll"]))
            for seed in range(2, a.seeds + 1):
                measure(name, walks, kind, best, seed)


if __name__ == "__main__":
    main()
