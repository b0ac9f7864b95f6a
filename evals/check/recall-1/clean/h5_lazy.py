import random

import cv2
import h5py
import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset, IterableDataset, get_worker_info


class Lazy(Dataset):
    def __init__(self, path):
        self.path = path
        self._file = None
        with h5py.File(path, 'r') as f:
            self.n = len(f['images'])

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        if self._file is None:
            self._file = h5py.File(self.path, 'r')
        img = self._file['images'][i]
        if random.random() < 0.5:
            img = img[:, ::-1]
        return torch.from_numpy(np.ascontiguousarray(img)).permute(2, 0, 1).float().div_(255)


class Folder(Dataset):
    def __init__(self, paths):
        self.paths = np.array([str(p) for p in paths])

    def __len__(self):
        return len(self.paths)

    def __getitem__(self, i):
        img = cv2.cvtColor(cv2.imread(str(self.paths[i])), cv2.COLOR_BGR2RGB)
        gray = cv2.imread(str(self.paths[i]), cv2.IMREAD_GRAYSCALE)
        x = torch.from_numpy(img.transpose(2, 0, 1).copy()).float() / 255
        return x, torch.from_numpy(gray[::-1].copy())


class Lines(IterableDataset):
    def __init__(self, files):
        self.files = files

    def __iter__(self):
        info = get_worker_info()
        files = self.files if info is None else self.files[info.id::info.num_workers]
        for name in files:
            with open(name) as f:
                yield from f


def seed_worker(worker_id):
    seed = torch.initial_seed() % 2 ** 32
    np.random.seed(seed)
    random.seed(seed)


g = torch.Generator()
g.manual_seed(0)


def loaders(path, paths, files):
    a = DataLoader(Lazy(path), 32, shuffle=True, num_workers=4, worker_init_fn=seed_worker, generator=g)
    b = DataLoader(Folder(paths), 32, num_workers=4, pin_memory=True)
    c = DataLoader(Lines(files), 32, num_workers=4)
    for x, _ in b:
        x = x.cuda(non_blocking=True)
        print(x.mean())
    return a, c
