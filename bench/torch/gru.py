"""How fast PyTorch trains the network of ddps/net/gru on one thread, on walks like those of its benchmarks.

    python gru.py                                        paths per CPU second
    go test -run - -bench Train ./ddps/net/gru           the same, natively

26 letters, 2 to 15 long, an end; batches of 64, dropout 0.2, AdamW, the gradient's norm clipped.
"""

import random
import time

import torch
from torch import nn

LETTERS, LONGEST, EMBED, HIDDEN, BATCH = 26, 15, 64, 128, 64
END, SOURCE = LETTERS, LETTERS + 1
PLACES = LETTERS + 2


class Network(nn.Module):
    def __init__(self):
        super().__init__()
        self.place, self.position = nn.Embedding(PLACES, EMBED), nn.Embedding(LONGEST + 1, EMBED)
        self.gru = nn.GRU(EMBED, HIDDEN, batch_first=True)
        self.output, self.dropout = nn.Linear(HIDDEN, PLACES), nn.Dropout(0.2)

    def forward(self, x, mask):
        embedded = self.place(x) + self.position(torch.arange(x.shape[1]))
        h, _ = self.gru(self.dropout(embedded))
        return (self.output(self.dropout(h)) + mask).log_softmax(-1)


def walks(n):
    for _ in range(n):
        length = 2
        while length < LONGEST and random.randrange(5) > 0:
            length += 1
        yield [random.randrange(LETTERS) for _ in range(length)]


def batch(rows):
    steps = max(map(len, rows)) + 1
    x, y = torch.full((len(rows), steps), SOURCE), torch.full((len(rows), steps), -100)
    for i, w in enumerate(rows):
        x[i, 1 : len(w) + 1] = torch.tensor(w)
        y[i, : len(w)] = torch.tensor(w)
        if len(w) < LONGEST:
            y[i, len(w)] = END
    mask = torch.zeros(len(rows), steps, PLACES)
    mask[..., SOURCE] = float("-inf")
    return x, y, mask


def main():
    torch.set_num_threads(1)
    random.seed(1)
    torch.manual_seed(1)
    rows = list(walks(4032))
    batches = [batch(rows[i : i + BATCH]) for i in range(0, len(rows), BATCH)]
    network = Network()
    optimizer = torch.optim.AdamW(network.parameters(), 1e-3, weight_decay=0.01, fused=True)

    def train():
        for x, y, mask in batches:
            out = network(x, mask).transpose(1, 2)
            loss = nn.functional.nll_loss(out, y, ignore_index=-100, reduction="sum") / BATCH
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(network.parameters(), 1.0)
            optimizer.step()

    train()
    start = time.process_time()
    train()
    train()
    print(f"{2 * len(rows) / (time.process_time() - start):.0f} paths per CPU second")


if __name__ == "__main__":
    main()
