"""Runs notebooks from top to bottom, several at once, each in its own folder.

    python run.py [--out FOLDER] [--jobs N] [--timeout SECONDS] [NOTEBOOK...]

Without names it runs all that lie beside it. FOLDER (out/notebooks at the module's root) gets each as it ran, also
where it failed, and as HTML that needs no network. The status is 1 if a cell failed or took longer than it may. A cell has 600 seconds, or
any time where DDPS_PRESET asks for more than the quick preset.
"""
import argparse
import copy
import multiprocessing
import os
import re
import signal
import sys
import time
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path

import nbformat
from latex2mathml.converter import convert
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError
from nbconvert import HTMLExporter

HERE = Path(__file__).resolve().parent
COLOURS = re.compile(r"\x1b\[[0-9;]*m")


class Clock:
    """Knows which cell runs, and how long the slowest took."""

    def __init__(self):
        self.index, self.began, self.slowest = None, 0.0, (0.0, None)

    def start(self, cell, cell_index):
        self.index, self.began = cell_index, time.monotonic()

    def stop(self, cell, cell_index, execute_reply):
        self.slowest = max(self.slowest, (time.monotonic() - self.began, cell_index), key=lambda s: s[0])


def name_of(book, index):
    """The cell as a reader finds it: its number as run, its id, its first line."""
    number = sum(c.cell_type == "code" and bool(c.source.strip()) for c in book.cells[: index + 1])
    cell = book.cells[index]
    return f"cell [{number}] (id {cell.get('id', 'none')}), {cell.source.strip().splitlines()[0]!r}"


def write(path, text):
    part = path.with_name(path.name + ".part")
    part.write_text(text, encoding="utf-8")
    part.replace(path)


# Code, and formulas: displayed ones and those within a line.
FORMULAS = re.compile(r"(`+)[\s\S]*?\1|\$\$([\s\S]+?)\$\$|\$((?:\\.|[^$\n\\]|\n(?!\n))+?)\$")
ELSEWHERE = re.compile(r'<script src="https?://[^"]*"></script>|<!-- Load mathjax -->[\s\S]*?<!-- End of mathjax configuration -->')


def mathml(text):
    """Markdown with its formulas as MathML, which browsers show without a script from the network."""

    def formula(match):
        block, inline = match.group(2), match.group(3)
        if not (block or inline):
            return match.group()
        out = convert((block or inline).replace("\\arg\\", "\\operatorname{arg}\\"), display="block" if block else "inline")
        if left := re.search(r"\\[A-Za-z]+", out):
            raise ValueError(f"MathML has no {left.group()}: {match.group()}")
        return out

    return FORMULAS.sub(formula, text)


def save(book, path, out):
    write(out / path.name, nbformat.writes(book))
    page = copy.deepcopy(book)
    for cell in page.cells:
        if cell.cell_type == "markdown":
            cell.source = mathml(cell.source)
    html, _ = HTMLExporter().from_notebook_node(page, {"metadata": {"name": path.stem}})
    write(out / (path.stem + ".html"), ELSEWHERE.sub("", html))


def run(job):
    """Runs one notebook; returns a line about it and, if it failed, why."""
    path, out, timeout = job
    clock, began, why = Clock(), time.monotonic(), None
    try:
        book = nbformat.read(path, as_version=4)
        nbformat.validate(book)
        try:
            NotebookClient(book, timeout=timeout, startup_timeout=120, coalesce_streams=True,
                           resources={"metadata": {"path": str(path.parent)}},
                           on_cell_start=clock.start, on_cell_executed=clock.stop).execute()
        except CellExecutionError as e:
            why = f"{name_of(book, clock.index)}: {COLOURS.sub('', str(e))}"
        except CellTimeoutError:
            why = f"{name_of(book, clock.index)}: took longer than {timeout} s"
        except Exception as e:  # the kernel did not start, or died
            at = "" if clock.index is None else name_of(book, clock.index) + ": "
            why = f"{at}{type(e).__name__}: {e}"
        took = time.monotonic() - began
        save(book, path, out)
    except Exception as e:  # no notebook, or nowhere to write
        return f"FAIL  {path.name}", f"{type(e).__name__}: {e}"
    line = f"{'FAIL' if why else 'ok'}  {path.name}  {took:.1f} s"
    if not why and clock.slowest[1] is not None:
        line += f", the slowest {name_of(book, clock.slowest[1])} {clock.slowest[0]:.1f} s"
    return line, why


def stop():
    """Ends the runs at once; their kernels follow."""
    for child in multiprocessing.active_children():
        child.kill()
    print("stopped", file=sys.stderr, flush=True)
    os._exit(130)


def main():
    quick = os.environ.get("DDPS_PRESET", "quick") == "quick"
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("notebooks", nargs="*", type=Path, metavar="NOTEBOOK")
    parser.add_argument("--out", type=Path, default=HERE.parent / "out" / "notebooks", metavar="FOLDER")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), metavar="N", help="how many at once; all cores by default")
    parser.add_argument("--timeout", type=int, default=600 if quick else None, metavar="SECONDS", help="of each cell")
    args = parser.parse_args()
    paths = [p.resolve() for p in args.notebooks or sorted(HERE.glob("*.ipynb"))]
    if not paths:
        print("no notebooks in", HERE)
        return 0
    if len({p.name for p in paths}) < len(paths):
        parser.error("two notebooks have the same name")
    args.out.mkdir(parents=True, exist_ok=True)
    jobs = [(p, args.out.resolve(), args.timeout) for p in paths]
    failed, began = [], time.monotonic()
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with ProcessPoolExecutor(max(1, min(args.jobs, len(jobs)))) as pool:
        try:
            for done in as_completed([pool.submit(run, job) for job in jobs]):
                line, why = done.result()
                print(line, flush=True)
                if why:
                    failed.append((line.split()[1], why))
        except KeyboardInterrupt:
            stop()  # the pool's own end would wait for nbclient, which takes no notice
    print(f"{len(jobs) - len(failed)} of {len(jobs)} notebooks ran in {time.monotonic() - began:.1f} s; see {args.out}")
    for name, why in failed:
        print(f"\n{name}: {why}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
