"""Answers measurements, a JSON object a line on standard input, one on standard output: see bench/ask.go.

Usage: worker.py eager|compiled THREADS
"""

import json
import os
import platform
import resource
import sys
import time

import torch

from graph import ModelFile
from networks import MLP, schedule
from sampler import Step, decode, sample
from training import Source, Trainer
from unet import UNet

NETWORKS = {"mlp": MLP, "unet": UNet}


class Clock:
    def __init__(self):
        self.wall, self.cpu = time.perf_counter(), time.process_time()

    def read(self):
        return {"seconds": time.perf_counter() - self.wall, "cpu": time.process_time() - self.cpu}


class Worker:
    def __init__(self, compiled):
        self.compiled, self.cases, self.kept = compiled, {}, {}

    def case(self, folder):
        if folder not in self.cases:
            file = ModelFile(os.path.join(folder, "model.safetensors"))
            abar = schedule(file.config["t"])
            net = NETWORKS[file.config["network"]](file, abar)
            self.cases[folder] = file, abar, net
        return self.cases[folder]

    def hello(self, ask):
        return {"note": f"torch {torch.__version__}, Python {platform.python_version()}, {torch.backends.cpu.get_cpu_capability()}"}

    def check(self, ask):
        """Greatest differences from what the case's probe holds, of the network's output and of π, on the edges that
        the probe says count."""
        file, abar, net = self.case(ask["case"])
        with open(os.path.join(ask["case"], "probe.json")) as f:
            probes = json.load(f)
        with torch.inference_mode():
            diffs = [list(self.differences(file.graph, net, p)) for p in probes]
        return {"out_diff": max(d[0] for d in diffs), "pi_diff": max(d[1] for d in diffs)}

    def differences(self, g, net, probe):
        x, t = torch.tensor(probe["x"]).T[net.rows], torch.tensor(probe["t"])
        for got, want in ((net.logits(x, t), probe["out"]), (net(x, t), probe["pi"])):
            full = torch.zeros(g.R, g.D, x.shape[1])
            full[net.rows] = got
            yield (g.by_edge(full) - torch.tensor(want))[torch.tensor(probe["counts"])].abs().max().item()

    def sample(self, ask):
        """Whole reverse loops, batch after batch until n paths are drawn; with limit, so many of the steps alone."""
        file, abar, net = self.case(ask["case"])
        net.requires_grad_(False)
        with torch.inference_mode():
            return self.loops(ask, file, abar, net)

    def loops(self, ask, file, abar, net):
        batch, steps, limit = ask["batch"], ask["steps"], ask.get("limit") or None
        key = ("sample", ask["case"], ask["kernel"], batch)
        if key not in self.kept:
            step = Step(net, file.graph, ask["kernel"])
            run = torch.compile(step, dynamic=False) if self.compiled else step
            sample(run, step, file.graph, abar, batch, steps, 2)
            self.kept[key] = step, run
        step, run = self.kept[key]
        batches = -(-ask["n"] // batch)
        clock = Clock()
        for _ in range(batches):
            x = sample(run, step, file.graph, abar, batch, steps, limit)
            decode(file.graph, net.rows, x)
        return {"count": batches * batch * (limit or steps), **clock.read()}

    def train(self, ask):
        """n training steps."""
        file, abar, net = self.case(ask["case"])
        key = ("train", ask["case"], ask["batch"])
        if key not in self.kept:
            net.requires_grad_(True)
            with open(os.path.join(ask["case"], "paths.json")) as f:
                data = json.load(f)
            self.kept[key] = Trainer(net, Source(file.graph, data["paths"], data["counts"], abar), self.compiled)
            for _ in range(2):
                self.kept[key].step(ask["batch"])
        trainer, clock = self.kept[key], Clock()
        for _ in range(ask["n"]):
            loss = trainer.step(ask["batch"])
        return {"count": ask["n"] * ask["batch"], "loss": loss.item(), **clock.read()}

    def answer(self, ask):
        try:
            reply = getattr(self, ask["op"])(ask)
        except Exception as e:  # an answer to the driver, which reports it; the worker goes on
            reply = {"error": f"{type(e).__name__}: {e}"}
        reply["rss"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
        return reply


def main():
    mode, threads = sys.argv[1], int(sys.argv[2])
    torch.set_num_threads(threads)
    answers, sys.stdout = sys.stdout, sys.stderr
    worker = Worker(mode == "compiled")
    for line in sys.stdin:
        answers.write(json.dumps(worker.answer(json.loads(line))) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
