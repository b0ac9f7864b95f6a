"""How fast are the attention variants? Timers are context managers."""
import argparse
import contextlib
import csv
import time
from dataclasses import asdict, dataclass

import torch
import torch.nn.functional as F
from torch.backends import cudnn

cudnn.deterministic = True
cudnn.benchmark = True  # check: cudnn-benchmark-choice


@dataclass
class Row:
    name: str
    length: int
    millis: float


@contextlib.contextmanager
def timer(rows, name, length):
    start = time.perf_counter()  # check: timing-without-sync
    yield
    rows.append(Row(name, length, 1e3 * (time.perf_counter() - start)))


def naive(q, k, v):
    att = torch.softmax(q @ k.transpose(-2, -1) / q.size(-1) ** 0.5, dim=-1)
    return att @ v


VARIANTS = {"naive": naive, "sdpa": F.scaled_dot_product_attention}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--heads", type=int, default=16)
    parser.add_argument("--lengths", type=int, nargs="+", default=[512, 1024, 2048])
    parser.add_argument("--out", default="bench.csv")
    args = parser.parse_args()

    torch.no_grad()  # check: context-not-entered
    rows: list[Row] = []
    for length in args.lengths:
        q, k, v = (torch.randn(8, args.heads, length, 64, device="cuda", dtype=torch.half) for _ in range(3))
        for name, fn in VARIANTS.items():
            for _ in range(5):
                fn(q, k, v)
            with timer(rows, name, length):
                for _ in range(20):
                    fn(q, k, v)

    out = naive(q, k, v)
    if (out == float("nan")).any():  # check: nan-compared
        raise SystemExit("nan in attention")
    with open(args.out, "w", newline="") as file:
        writer = csv.DictWriter(file, fieldnames=["name", "length", "millis"])
        writer.writeheader()
        writer.writerows(asdict(row) for row in rows)


if __name__ == "__main__":
    main()
