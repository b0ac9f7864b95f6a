"""Copy the next batch to the device while the present one is used.

On a GPU the copy runs on a stream of its own, from pinned memory, and costs no time where the step takes
longer; the program measures both ways. On a CPU there is nothing to copy, and the batches are the same.

Needs keng.

Avoids: loader-starves-device, non-blocking-without-pinning, timing-without-sync
"""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from keng.toolbox import benchmark, move_to, prefetch

BATCH = 64


def main() -> None:
    torch.manual_seed(0)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    size = 224 if device.type == "cuda" else 8
    dataset = TensorDataset(torch.randn(512, 3, size, size), torch.zeros(512))
    loader = DataLoader(dataset, BATCH, pin_memory=device.type == "cuda")
    model = nn.Sequential(nn.Conv2d(3, 32, 3), nn.ReLU(), nn.Conv2d(32, 32, 3))
    model = model.to(device).eval()

    @torch.inference_mode()
    def moved_when_needed() -> None:
        for batch in loader:
            images, _ = move_to(batch, device)
            model(images)

    @torch.inference_mode()
    def moved_ahead() -> None:
        for images, _ in prefetch(loader, device):
            model(images)

    for function in (moved_when_needed, moved_ahead):
        measured = benchmark(function, warmup=1, seconds=0.5)
        print(f"{function.__name__}: {measured.median * 1e3:.1f} ms an epoch on {device.type}")

    pairs = zip(prefetch(loader, device), loader, strict=True)
    print("the same batches:", all(torch.equal(a.cpu(), b) for (a, _), (b, _) in pairs))


if __name__ == "__main__":
    main()
