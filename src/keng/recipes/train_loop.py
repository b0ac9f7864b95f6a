"""Train on one device: the plain loop, with everything in its place.

Modes, gradient accumulation, mixed precision, clipping, warm-up, a progress bar, logs and checkpoints.
Kill it at any moment and start it again: it goes on after the last whole epoch and ends with the same
weights as without, on a CPU to the last bit.

Needs keng, scikit-learn, tensorboard and tqdm.

Avoids: zero-grad-missing, accumulation-unscaled, amp-order, scheduler-before-optimizer,
warmup-missing, eval-mode-missing, train-mode-not-restored, validation-records-gradients,
loss-keeps-graph, resume-incomplete, seed-incomplete, nan-loss
"""

import torch
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch import Tensor, nn
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.tensorboard import SummaryWriter
from tqdm import tqdm

from keng.toolbox import Checkpointer, Meter, seed, warmup_cosine

EPOCHS = 6
BATCH = 128  # what one update sees
MICRO_BATCH = 48  # what fits into memory at once
LEARNING_RATE = 3e-3
LARGEST_GRADIENT = 1.0
DROPOUT = 0.2


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        # Group norm: batch norm would see micro-batches, which accumulation cannot make up for.
        self.features = nn.Sequential(
            nn.Conv2d(1, 16, 3, padding=1),
            nn.GroupNorm(4, 16),
            nn.ReLU(),
            nn.MaxPool2d(2),
            nn.Conv2d(16, 32, 3, padding=1),
            nn.ReLU(),
            nn.MaxPool2d(2),
        )
        self.head = nn.Sequential(nn.Dropout(DROPOUT), nn.Linear(32 * 2 * 2, 10))

    def forward(self, x: Tensor) -> Tensor:
        return self.head(self.features(x).flatten(1))


def load() -> tuple[TensorDataset, TensorDataset]:
    digits = load_digits()
    images = torch.tensor(digits.images, dtype=torch.float32).unsqueeze(1) / 16
    labels = torch.tensor(digits.target)
    split = train_test_split(images, labels, test_size=0.25, random_state=0, stratify=labels)
    train_images, test_images, train_labels, test_labels = split
    return TensorDataset(train_images, train_labels), TensorDataset(test_images, test_labels)


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
    meter = Meter(every=10)
    bar = tqdm(loader, leave=False, disable=None)
    for images, labels in bar:
        optimizer.zero_grad()
        for x, y in zip(images.split(MICRO_BATCH), labels.split(MICRO_BATCH), strict=True):
            x, y = x.to(device, non_blocking=True), y.to(device, non_blocking=True)
            with torch.autocast(device.type, enabled=scaler.is_enabled()):
                loss = criterion(model(x), y)
            # Each micro-batch by its share of the batch: so the last, smaller ones count rightly.
            scaler.scale(loss * len(y) / len(images)).backward()
            meter.update(loss, len(y))
        scaler.unscale_(optimizer)  # before clipping, or the scaled gradients are clipped
        nn.utils.clip_grad_norm_(model.parameters(), LARGEST_GRADIENT)
        scaler.step(optimizer)  # leaves the step out where a gradient is not finite
        scaler.update()
        schedule.step()
    return meter.mean()


@torch.no_grad()
def evaluate(model: nn.Module, loader: DataLoader, device: torch.device) -> float:
    model.eval()
    correct = torch.zeros((), device=device)
    for images, labels in loader:
        outputs = model(images.to(device, non_blocking=True))
        correct += (outputs.argmax(dim=1) == labels.to(device, non_blocking=True)).sum()
    return correct.item() / len(loader.dataset)


def main() -> None:
    order = seed(0)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    pinned = device.type == "cuda"
    train_set, test_set = load()
    loader = DataLoader(train_set, BATCH, shuffle=True, generator=order, pin_memory=pinned)
    test_loader = DataLoader(test_set, BATCH, pin_memory=pinned)

    model = Net().to(device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=LEARNING_RATE, weight_decay=0.01)
    schedule = warmup_cosine(optimizer, warmup=len(loader), total=EPOCHS * len(loader))
    scaler = torch.amp.GradScaler(device.type, enabled=device.type == "cuda")
    checkpoints = Checkpointer(
        "checkpoints",
        keep=2,
        background=True,
        model=model,
        optimizer=optimizer,
        schedule=schedule,
        scaler=scaler,
        order=order,
    )

    begin = checkpoints.resume()
    log = SummaryWriter("runs", purge_step=begin)
    for epoch in range(begin, EPOCHS):
        loss = train(model, loader, optimizer, schedule, scaler, device)
        accuracy = evaluate(model, test_loader, device)
        log.add_scalar("loss/train", loss, epoch)
        log.add_scalar("accuracy/test", accuracy, epoch)
        print(f"epoch {epoch + 1}: loss {loss:.4f}, test accuracy {accuracy:.1%}", flush=True)
        checkpoints.save(epoch + 1)
    checkpoints.wait()
    log.close()


if __name__ == "__main__":
    main()
