"""Measure how long something takes: warm up, wait for the device, tell the spread.

Kernel launches return at once, so a clock around them measures the launch; and the first calls compile,
autotune and allocate. Shows the naive figure next to the right one.

Needs keng.

Avoids: timing-without-sync
"""

import time

import torch
from torch import nn

from keng.toolbox import benchmark


def main() -> None:
    torch.manual_seed(0)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    model = nn.Sequential(nn.Linear(512, 512), nn.ReLU(), nn.Linear(512, 512)).to(device).eval()
    x = torch.randn(64, 512, device=device)

    @torch.inference_mode()
    def forward() -> None:
        model(x)

    begin = time.perf_counter()
    forward()
    first = time.perf_counter() - begin
    measured = benchmark(forward, seconds=0.5)
    print(f"first call by the clock: {first * 1e6:.0f} us")
    print(
        f"a call: {measured.median * 1e6:.0f} us, the middle half within {measured.iqr * 1e6:.0f} us"
    )


if __name__ == "__main__":
    main()
