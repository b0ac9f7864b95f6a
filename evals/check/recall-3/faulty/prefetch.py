"""A prefetcher on a side stream, over shards in HDF5."""
from __future__ import annotations

import random
import threading
from queue import Queue

import h5py
import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset, IterableDataset


class ShardDataset(Dataset):
    def __init__(self, path: str, crop: int = 224):
        self.file = h5py.File(path, "r")  # check: hdf5-handle-shared
        self.images = self.file["images"]
        self.labels = self.file["labels"][:]
        self.crop = crop
        self.rng = np.random.default_rng(1234)  # check: worker-seeds-repeat

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, index):
        image = self.images[index]
        y, x = self.rng.integers(0, image.shape[1] - self.crop, 2)
        crop = image[:, y : y + self.crop, x : x + self.crop]
        return torch.from_numpy(crop).float() / 255, int(self.labels[index])


class LogLines(IterableDataset):
    def __init__(self, path: str):
        self.path = path

    def __iter__(self):
        with open(self.path) as lines:
            for line in lines:
                text, label = line.rstrip().split("\t")
                yield torch.tensor([hash(w) % 30000 for w in text.split()][:64]), int(label)


class Prefetcher:
    """Copies the next batch while the current one is computed with."""

    def __init__(self, loader: DataLoader, device: torch.device):
        self.loader, self.device = loader, device
        self.stream = torch.cuda.Stream(device)

    def __iter__(self):
        pending = None
        for batch in self.loader:
            with torch.cuda.stream(self.stream):
                moved = [t.to(self.device, non_blocking=True) for t in batch]
            if pending is not None:
                torch.cuda.current_stream().wait_stream(self.stream)
                yield pending
            pending = moved
        if pending is not None:
            yield pending


def background(iterable, depth=2):
    queue: Queue = Queue(depth)

    def work():
        for item in iterable:
            queue.put(item)
        queue.put(None)

    threading.Thread(target=work, daemon=True).start()
    while (item := queue.get()) is not None:
        yield item


def build(path: str, device="cuda"):
    loader = DataLoader(ShardDataset(path), batch_size=64, shuffle=True, num_workers=8)  # check: non-blocking-without-pinning
    return Prefetcher(loader, torch.device(device))


def text_loader(path: str):
    return DataLoader(LogLines(path), batch_size=1, num_workers=4)  # check: iterable-dataset-duplicated


if __name__ == "__main__":
    for images, labels in background(build("shards.h5")):
        print(images.shape, labels.shape)
