"""What `keng ckpt show` costs beside the start of a bare interpreter.

    python benchmarks/ckpt_show.py [ROUNDS]

Checkpoints as they are met every day, small, so that the start is what counts: a model's state dict, a
training's state as Lightning saves it (409 weights, Adam, hyper-parameters), safetensors. Each command and
`python -c pass` run in turn, ROUNDS times; the least CPU time of each, which a busy machine lengthens
least, and its ratio to bare Python's. The wanted 3 times are a sentence that is checked.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile

ROUNDS = 15
WANTED = 3.0
WRITES = """
import torch
from torch import nn

def layers(count):
    return nn.Sequential(*(nn.Sequential(nn.Linear(4, 4), nn.BatchNorm1d(4)) for _ in range(count)))

torch.save(layers(4).state_dict(), "weights.pt")
model = layers(58)
optimizer = torch.optim.Adam(model.parameters())
model(torch.randn(8, 4)).sum().backward()
optimizer.step()
training = {"epoch": 3, "global_step": 900, "pytorch-lightning_version": "2.5.0", "loops": {}}
training |= {"state_dict": model.state_dict(), "optimizer_states": [optimizer.state_dict()]}
training |= {"lr_schedulers": [], "hyper_parameters": {"lr": 1e-3}}
torch.save(training, "training.ckpt")
"""
CONVERTS = ["ckpt", "convert", "weights.pt", "weights.safetensors"]
ENVIRONMENT = {n: v for n, v in os.environ.items() if n != "PYTHONDONTWRITEBYTECODE"}
"""What is installed has its bytecode written once."""
FILES = ("weights.pt", "training.ckpt", "weights.safetensors")


def seconds(command: list[str], folder: str) -> float:
    """CPU seconds of the process."""
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, env=ENVIRONMENT)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, command
    return used.ru_utime + used.ru_stime


def main(rounds: int) -> int:
    python, keng = [sys.executable], [sys.executable, "-m", "keng"]
    commands = {"python -c pass": [*python, "-c", "pass"]}
    commands |= {f"keng ckpt show {file}": [*keng, "ckpt", "show", file] for file in FILES}
    with tempfile.TemporaryDirectory(prefix="keng-bench-") as folder:
        subprocess.run([*python, "-c", WRITES], cwd=folder, check=True)
        subprocess.run([*keng, *CONVERTS], cwd=folder, check=True, stdout=subprocess.DEVNULL)
        times = [
            {name: seconds(each, folder) for name, each in commands.items()} for _ in range(rounds)
        ]
    best = {name: min(each[name] for each in times) for name in commands}
    bare = best["python -c pass"]
    for name, least in best.items():
        print(f"{name:36} {least * 1000:6.1f} ms CPU  {least / bare:5.2f} x python -c pass")
    kept = all(least <= WANTED * bare for least in best.values())
    print(f"at most {WANTED:g} times: {'kept' if kept else 'NOT kept'}")
    return int(not kept)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if sys.argv[1:] else ROUNDS))
