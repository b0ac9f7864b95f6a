"""Reading digits with a stop in the middle of an epoch, after https://github.com/huggingface/accelerate/issues/2823."""

import tempfile
from collections import Counter
from pathlib import Path

import torch
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, Dataset, Sampler

EPOCHS, BATCH, STOP, SEED = 4, 32, (2, 20), 26


class Digits(Dataset):
    def __init__(self, images, classes):
        self.images, self.classes = torch.tensor(images).float() / 16, torch.tensor(classes)

    def __len__(self):
        return len(self.images)

    def __getitem__(self, index):
        return self.images[index], self.classes[index], index


class SeedableSampler(Sampler):
    """Another order in each epoch, the same whenever the epoch is run."""

    def __init__(self, length, seed):
        self.length, self.seed, self.epoch = length, seed, 0

    def __len__(self):
        return self.length

    def __iter__(self):
        return iter(torch.randperm(self.length, generator=torch.Generator().manual_seed(self.seed + self.epoch)).tolist())


class Loader:
    """Counts its epochs and tells the sampler; leaves out the first batches if it has to."""

    def __init__(self, dataset, sampler, skip=0, iteration=0):
        self.dataset, self.sampler = dataset, sampler
        self.skip, self.iteration = skip, iteration

    def __len__(self):
        return -(-len(self.dataset) // BATCH)

    def __iter__(self):
        self.sampler.epoch = self.iteration
        for i, batch in enumerate(DataLoader(self.dataset, batch_size=BATCH, sampler=self.sampler)):
            if i >= self.skip:
                yield batch
        self.iteration += 1


def skip_first_batches(loader, count):
    return Loader(loader.dataset, loader.sampler, skip=count)  # any: -


class Reader(nn.Module):
    def __init__(self, width=48):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(64, width), nn.ReLU(), nn.Linear(width, 10))

    def forward(self, x):
        return self.layers(x)


def setup():
    torch.manual_seed(SEED)
    model = Reader()
    return model, torch.optim.SGD(model.parameters(), lr=0.02, momentum=0.9)


@torch.no_grad()
def evaluate(model, dataset):
    logits = model(dataset.images)
    accuracy = (logits.argmax(1) == dataset.classes).float().mean().item()
    return F.cross_entropy(logits, dataset.classes).item(), accuracy


def train(dataset, folder, seen, resume):
    """Trains until the stop, or from the stop to the end."""
    model, optimizer = setup()
    loader = Loader(dataset, SeedableSampler(len(dataset), SEED))
    first, done = 0, 0
    if resume:
        state = torch.load(folder / "state.pt")
        model.load_state_dict(state["model"])
        optimizer.load_state_dict(state["optimizer"])
        first, done = state["epoch"], state["step"]
        loader.iteration = first
    for epoch in range(first, EPOCHS):
        active = skip_first_batches(loader, done) if epoch == first and done else loader
        total, offset = 0.0, done if epoch == first else 0
        for step, (images, classes, index) in enumerate(active, offset):
            loss = F.cross_entropy(model(images), classes)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item()
            seen.setdefault(epoch, Counter()).update(index.tolist())
            if not resume and (epoch, step + 1) == STOP:
                state = {"model": model.state_dict(), "optimizer": optimizer.state_dict(), "epoch": epoch, "step": step + 1}
                torch.save(state, folder / "state.pt")
                print(f"stopped in epoch {epoch + 1} after {step + 1} of {len(loader)} batches")
                return model
        loader.iteration = epoch + 1
        print(f"epoch {epoch + 1} loss {total / (step + 1 - offset):.4f}")
    return model


images, classes = load_digits(return_X_y=True)
x_train, x_test, y_train, y_test = train_test_split(images, classes, test_size=0.3, random_state=0)
train_set, test_set, seen = Digits(x_train, y_train), Digits(x_test, y_test), {}
with tempfile.TemporaryDirectory() as folder:
    train(train_set, Path(folder), seen, resume=False)
    model = train(train_set, Path(folder), seen, resume=True)
for epoch, counts in seen.items():
    twice = sum(count > 1 for count in counts.values())
    print(f"epoch {epoch + 1}: {twice} images seen twice, {len(train_set) - len(counts)} never")
loss, accuracy = evaluate(model, test_set)
print(f"test loss {loss:.4f} accuracy {accuracy:.4f}")
print(f"checksum {sum(p.double().sum() for p in model.parameters()).item():.6f}")
