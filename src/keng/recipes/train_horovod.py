"""Train on several devices with Horovod: what has to be broadcast, reduced and divided.

Start it with `horovodrun -np 2 python train_horovod.py`. Where Horovod is not installed it says so and
ends with exit code 1. Its last release is of 2023; for a new program take train-ddp.

Needs keng, scikit-learn and horovod.

Avoids: sampler-epoch-not-set, eval-mode-missing, validation-records-gradients, loss-keeps-graph
"""

import sys

import torch
from sklearn.datasets import load_digits
from torch import nn
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset

try:
    import horovod.torch as hvd
except ImportError:
    sys.exit("Horovod is not installed: https://horovod.readthedocs.io; or see train-ddp")

EPOCHS = 3
BATCH_OF_EACH = 32
LEARNING_RATE = 0.01


def load() -> TensorDataset:
    digits = load_digits()
    images = torch.tensor(digits.data, dtype=torch.float32) / 16
    return TensorDataset(images, torch.tensor(digits.target))


def main() -> None:
    hvd.init()
    torch.manual_seed(0)
    device = torch.device("cpu")
    if torch.cuda.is_available():
        torch.cuda.set_device(hvd.local_rank())
        device = torch.device("cuda", hvd.local_rank())

    dataset = load()
    sampler = DistributedSampler(dataset, num_replicas=hvd.size(), rank=hvd.rank())
    loader = DataLoader(dataset, BATCH_OF_EACH, sampler=sampler)
    model = nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 10)).to(device)
    # The joint batch grows with the processes, and the learning rate with it.
    inner = torch.optim.SGD(model.parameters(), lr=LEARNING_RATE * hvd.size(), momentum=0.9)
    optimizer = hvd.DistributedOptimizer(inner, named_parameters=model.named_parameters())
    hvd.broadcast_parameters(model.state_dict(), root_rank=0)
    hvd.broadcast_optimizer_state(inner, root_rank=0)
    criterion = nn.CrossEntropyLoss()

    for epoch in range(EPOCHS):
        sampler.set_epoch(epoch)
        model.train()
        total = torch.zeros((), device=device)
        for images, labels in loader:
            optimizer.zero_grad()
            loss = criterion(model(images.to(device)), labels.to(device))
            loss.backward()
            optimizer.step()  # waits for the gradients of all processes
            total += loss.detach()
        mean = hvd.allreduce(total / len(loader), name="loss")  # on every process
        if hvd.rank() == 0:
            print(f"epoch {epoch + 1}: loss {mean.item():.4f}")
            torch.save(model.state_dict(), "model.pt")
    hvd.shutdown()


if __name__ == "__main__":
    main()
