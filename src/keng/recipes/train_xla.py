"""Train on a TPU by PyTorch/XLA: the step is a graph, and the host must not look into it.

Operations are recorded and run at `torch_xla.step()`'s end; a value that the host reads in between, or
a batch of another shape, costs a compilation. Where torch_xla is not installed it says so and ends with
exit code 1.

Needs scikit-learn and torch_xla.

Avoids: host-sync-in-loop, loss-keeps-graph
"""

import sys

import torch
from sklearn.datasets import load_digits
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

try:
    import torch_xla
    from torch_xla.distributed.parallel_loader import MpDeviceLoader
except ImportError:
    sys.exit("torch_xla is not installed: https://docs.pytorch.org/xla")

EPOCHS = 3


def main() -> None:
    torch.manual_seed(0)
    device = torch_xla.device()
    digits = load_digits()
    images = torch.tensor(digits.data, dtype=torch.float32) / 16
    dataset = TensorDataset(images, torch.tensor(digits.target))
    # Full batches only: another shape is another program.
    batches = DataLoader(dataset, batch_size=64, shuffle=True, drop_last=True)
    loader = MpDeviceLoader(batches, device)

    model = nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 10)).to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    criterion = nn.CrossEntropyLoss()
    for epoch in range(EPOCHS):
        model.train()
        total = torch.zeros((), device=device)
        for x, y in loader:
            with torch_xla.step():
                optimizer.zero_grad()
                loss = criterion(model(x), y)
                loss.backward()
                optimizer.step()
                total += loss.detach()
        print(f"epoch {epoch + 1}: loss {total.item() / len(batches):.4f}")  # the one wait
    torch.save({name: value.cpu() for name, value in model.state_dict().items()}, "model.pt")


if __name__ == "__main__":
    main()
