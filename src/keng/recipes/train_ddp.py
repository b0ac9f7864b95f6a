"""Train on several devices with DistributedDataParallel: one process a device.

Start it with `torchrun --standalone --nproc-per-node=2 train_ddp.py` (as many processes as there are
GPUs; without GPUs it runs on the CPU). Kill it at any moment and start it again: it goes on after the
last whole epoch.

Needs keng and scikit-learn.

Avoids: data-parallel-deprecated, launcher-deprecated, sampler-epoch-not-set,
wrapped-module-attribute, map-location-missing, amp-order, resume-incomplete, seed-incomplete,
eval-mode-missing, validation-records-gradients, loss-keeps-graph
"""

import os
import sys

import torch
from sklearn.datasets import load_digits
from torch import Tensor, distributed, nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, Dataset, DistributedSampler, Subset, TensorDataset

from keng.toolbox import Checkpointer, Meter, reduce_mean, seed, warmup_cosine

EPOCHS = 4
BATCH = 64  # over all processes together
LEARNING_RATE = 3e-3
DROPOUT = 0.2
TRAINED_ON = 1280


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(1, 16, 3, padding=1, bias=False),
            nn.BatchNorm2d(16),
            nn.ReLU(),
            nn.MaxPool2d(2),
            nn.Conv2d(16, 32, 3, padding=1),
            nn.ReLU(),
            nn.MaxPool2d(2),
        )
        self.head = nn.Sequential(nn.Dropout(DROPOUT), nn.Linear(32 * 2 * 2, 10))

    def forward(self, x: Tensor) -> Tensor:
        return self.head(self.features(x).flatten(1))


def load() -> tuple[Dataset, Dataset]:
    digits = load_digits()
    images = torch.tensor(digits.images, dtype=torch.float32).unsqueeze(1) / 16
    whole = TensorDataset(images, torch.tensor(digits.target))
    order = torch.randperm(len(whole), generator=torch.Generator().manual_seed(0)).tolist()
    return Subset(whole, order[:TRAINED_ON]), Subset(whole, order[TRAINED_ON:])


def join() -> torch.device:
    """Joins the process group and returns this process's own device."""
    if "LOCAL_RANK" not in os.environ:
        sys.exit("start it with: torchrun --standalone --nproc-per-node=2 train_ddp.py")
    if not torch.cuda.is_available():
        distributed.init_process_group("gloo")
        return torch.device("cpu")
    # The number on this machine, which is not the rank where there are several machines.
    device = torch.device("cuda", int(os.environ["LOCAL_RANK"]))
    torch.cuda.set_device(device)
    distributed.init_process_group("nccl", device_id=device)
    return device


def train(
    model: nn.Module,
    loader: DataLoader,
    optimizer: torch.optim.Optimizer,
    schedule: torch.optim.lr_scheduler.LRScheduler,
    scaler: torch.amp.GradScaler,
    device: torch.device,
) -> float:
    model.train()
    criterion = nn.CrossEntropyLoss()
    meter = Meter()
    for images, labels in loader:
        images = images.to(device, non_blocking=True)
        labels = labels.to(device, non_blocking=True)
        optimizer.zero_grad()
        with torch.autocast(device.type, enabled=scaler.is_enabled()):
            loss = criterion(model(images), labels)
        scaler.scale(loss).backward()  # averages the gradients over the processes
        scaler.step(optimizer)
        scaler.update()
        schedule.step()
        meter.update(loss, len(labels))
    return meter.mean()  # over all processes: every one of them must ask


@torch.no_grad()
def evaluate(model: nn.Module, dataset: Dataset, device: torch.device) -> float:
    """The accuracy over the whole set, of which each process looks at its own part."""
    model.eval()
    rank, world_size = distributed.get_rank(), distributed.get_world_size()
    part = Subset(dataset, range(rank, len(dataset), world_size))  # a sampler would repeat some
    correct = torch.zeros((), device=device)
    for images, labels in DataLoader(part, 256):
        outputs = model(images.to(device))
        correct += (outputs.argmax(dim=1) == labels.to(device)).sum()
    return reduce_mean(correct / len(part), weight=len(part)).item()


def main() -> None:
    device = join()
    rank, world_size = distributed.get_rank(), distributed.get_world_size()
    seed(0)  # each rank draws its own dropout; the weights are those of rank 0
    train_set, test_set = load()
    sampler = DistributedSampler(train_set, seed=0)
    loader = DataLoader(
        train_set, BATCH // world_size, sampler=sampler, pin_memory=device.type == "cuda"
    )

    net = Net().to(device)
    if device.type == "cuda":  # there is none for the CPU
        net = nn.SyncBatchNorm.convert_sync_batchnorm(net)
    model = DistributedDataParallel(net)
    optimizer = torch.optim.AdamW(model.parameters(), lr=LEARNING_RATE)
    schedule = warmup_cosine(optimizer, warmup=len(loader), total=EPOCHS * len(loader))
    scaler = torch.amp.GradScaler(device.type, enabled=device.type == "cuda")
    # Every rank calls it; rank 0 alone writes, with the random numbers of all of them.
    checkpoints = Checkpointer(
        "checkpoints", model=model, optimizer=optimizer, schedule=schedule, scaler=scaler
    )

    for epoch in range(checkpoints.resume(), EPOCHS):
        sampler.set_epoch(epoch)  # another order in each epoch
        loss = train(model, loader, optimizer, schedule, scaler, device)
        accuracy = evaluate(model, test_set, device)
        if rank == 0:
            print(f"epoch {epoch + 1}: loss {loss:.4f}, test accuracy {accuracy:.1%}", flush=True)
        checkpoints.save(epoch + 1)
    distributed.destroy_process_group()


if __name__ == "__main__":
    main()
