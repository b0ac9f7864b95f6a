"""`keng ckpt fix` and `convert` beside `cp`: throughput and memory, in one run on one file.

    python benchmarks/ckpt_write.py [GB]

Writes a training checkpoint of that size (2 GB) with names of a wrapped model, takes turns, and prints
the best of three of each. Claims: at least 0.7 of `cp`'s throughput, at most 150 MB resident.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROUNDS = 3
KENG = [sys.executable, "-m", "keng", "ckpt"]


def generate(path: Path, gigabytes: float) -> None:
    """A state dict and Adam's two moments of it."""
    program = (
        "import sys, torch\n"
        "layers = int(float(sys.argv[2]) * 1e9 / (12 * 1024 * 1024))\n"
        "state = {f'module.layers.{n}.weight': torch.randn(1024, 1024) for n in range(layers)}\n"
        "moments = {n: {'step': torch.tensor(1.0), 'exp_avg': torch.randn(1024, 1024),\n"
        "               'exp_avg_sq': torch.rand(1024, 1024)} for n in range(layers)}\n"
        "torch.save({'epoch': 1, 'state_dict': state, 'optimizer': {'state': moments}}, sys.argv[1])\n"
    )
    subprocess.run([sys.executable, "-c", program, str(path), str(gigabytes)], check=True)


def plan(path: Path, out: Path) -> None:
    from keng import ckpt
    from keng.ckpt.states import entries, states
    from keng.mapping import best

    found = {keys: entries(tensors) for keys, tensors in states(ckpt.read(str(path)).root).items()}
    names = found["state_dict",]
    model = {name.removeprefix("module."): entry for name, entry in names.items()}
    out.write_text(json.dumps(best(found, model).as_json()))


def measured(command: list[str], out: Path) -> tuple[float, float]:
    """Seconds until the bytes are on the disk, and MB resident at most."""
    out.unlink(missing_ok=True)
    os.sync()
    begin = time.perf_counter()
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    os.sync()
    if status:
        raise SystemExit(f"{command} failed")
    return time.perf_counter() - begin, usage.ru_maxrss / 1024


def main() -> None:
    gigabytes = float(sys.argv[1]) if len(sys.argv) > 1 else 2.0
    with tempfile.TemporaryDirectory(prefix="keng-bench-") as name:
        folder = Path(name)
        big, out, mapping = folder / "big.pt", folder / "out.pt", folder / "plan.json"
        generate(big, gigabytes)
        plan(big, mapping)
        tensors = folder / "out.safetensors"
        ways = {
            "cp": (["cp", str(big), str(out)], out),
            "keng ckpt fix": ([*KENG, "fix", str(big), str(out), "--plan", str(mapping)], out),
            "keng ckpt convert (zip)": ([*KENG, "convert", str(big), str(out)], out),
            "keng ckpt convert (safetensors)": (
                [*KENG, "convert", str(big), str(tensors)],
                tensors,
            ),
        }
        best: dict[str, tuple[float, float]] = {}
        for _ in range(ROUNDS):
            for way, (command, place) in ways.items():
                seconds, memory = measured(command, place)
                rate = place.stat().st_size / seconds / 1e6
                known = best.get(way, (0.0, 0.0))
                best[way] = max(rate, known[0]), max(memory, known[1])
                place.unlink()
        copied = best["cp"][0]
        print(f"{big.stat().st_size / 1e9:.2f} GB; best of {ROUNDS}")
        for way, (rate, memory) in best.items():
            print(
                f"{way:34s} {rate:7.0f} MB/s  {rate / copied:5.2f} of cp  {memory:5.0f} MB resident"
            )


if __name__ == "__main__":
    main()
