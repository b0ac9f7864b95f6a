# held by one transform of several
import random

from torch.utils.data import DataLoader, Dataset


class Jitter:
    def __init__(self):
        self.dice = random.Random(0)  # run: copied with the dataset

    def __call__(self, value):
        return value + self.dice.random()


class Values(Dataset):
    def __init__(self, *transforms):
        self.steps = transforms

    def __len__(self):
        return 8

    def __getitem__(self, index):
        value = 0.0
        for step in self.steps:
            value = step(value)
        return value


first, second = DataLoader(Values(abs, Jitter()), batch_size=4, num_workers=2)

# proof
assert first.tolist() == second.tolist()
