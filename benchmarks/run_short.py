"""What `keng run` adds to whole short programs: `python benchmarks/run_short.py [ROUNDS] [PROGRAM ...]`.

Each program runs plain and under `keng run` by turns, on one thread. Printed are the least CPU times of the
rounds, what the watch adds, and the ratio. Exits 1 where a promise is broken: 0.25 s for a script that only
imports torch, 1.10 times for programs of about 5 s, probes included.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

IMPORT_ADDS, RATIO = 0.25, 1.10
TRAINING = """
import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
{model}
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
loader = DataLoader(TensorDataset(x, y), batch_size={batch}, shuffle=True)
for epoch in range({epochs}):
    for inputs, targets in loader:
        loss = F.cross_entropy(model(inputs), targets)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
"""
MLP = """
model = nn.Sequential(nn.Linear(64, 256), nn.ReLU(), nn.Dropout(0.1), nn.Linear(256, 10))
x, y = torch.randn(8192, 64), torch.randint(10, (8192,))
"""
CNN = """
layers = []
for before, after in ((3, 16), (16, 32), (32, 64)):
    layers += [nn.Conv2d(before, after, 3, padding=1), nn.BatchNorm2d(after), nn.ReLU(), nn.MaxPool2d(2)]
model = nn.Sequential(*layers, nn.Flatten(), nn.Linear(64 * 16, 10))
x, y = torch.randn(2048, 3, 32, 32), torch.randint(10, (2048,))
"""
TRANSFORMER = """
class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(256, 64)
        layer = nn.TransformerEncoderLayer(64, 4, 128, batch_first=True)
        self.blocks = nn.TransformerEncoder(layer, 2)
        self.head = nn.Linear(64, 10)

    def forward(self, tokens):
        return self.head(self.blocks(self.words(tokens)).mean(1))

model = Encoder()
x, y = torch.randint(256, (1024, 32)), torch.randint(10, (1024,))
"""
PROGRAMS = {
    "import torch": "import torch\n",
    "mlp": TRAINING.format(model=MLP, batch=64, epochs=20),
    "cnn": TRAINING.format(model=CNN, batch=64, epochs=2),
    "transformer": TRAINING.format(model=TRANSFORMER, batch=32, epochs=3),
}


def cpu_seconds(command: list[str]) -> float:
    """User and system time of a command on one thread."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    subprocess.run(command, capture_output=True, check=True, env=environment)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> int:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    kept = True
    print(f"{'program':14}{'plain s':>9}{'watched s':>11}{'added s':>9}{'ratio':>8}")
    with tempfile.TemporaryDirectory() as folder:
        for name, text in PROGRAMS.items():
            if len(sys.argv) > 2 and name not in sys.argv[2:]:
                continue
            file = Path(folder, "program.py")
            file.write_text(text)
            plain, watched = [sys.executable, str(file)], [sys.executable, "-m", "keng", "run"]
            times = [
                (cpu_seconds(plain), cpu_seconds([*watched, str(file)])) for _ in range(rounds)
            ]
            least, most = (min(each) for each in zip(*times, strict=True))
            print(
                f"{name:14}{least:9.2f}{most:11.2f}{most - least:9.2f}{most / least:8.3f}",
                flush=True,
            )
            kept &= most - least <= IMPORT_ADDS if name == "import torch" else most <= RATIO * least
    print("promised: 0.25 s for the import, 1.10 times for programs:", "kept" if kept else "broken")
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
