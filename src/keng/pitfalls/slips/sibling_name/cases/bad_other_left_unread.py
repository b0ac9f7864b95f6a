# a loader of the training set again; a bound that is given twice; a difference with itself; arguments that are exchanged
import torch
from torch.utils.data import DataLoader, TensorDataset


def loaders(x):
    train_set = TensorDataset(x[:6])
    valid_set = TensorDataset(x[6:])
    train_loader = DataLoader(train_set, batch_size=2, shuffle=True)
    eval_loader = DataLoader(train_set, batch_size=2)  # check: `train_set` is used for both; `valid_set`
    return train_loader, eval_loader


def clamped(x, low_min, low_max):
    return torch.clamp(x, low_min, low_min)  # check: `low_max` is not used


def scaled(x):
    x_min, x_max = x.min(), x.max()
    return (x - x_min) / (x_min - x_min + 1)  # check: `x_max` is not used


def shown(steps, values):
    return [f"{step}: {value}" for step, value in zip(steps, values)]


def logged(steps, values):
    return shown(values, steps)  # check: each is used as the other


x = torch.arange(8.0)
train, held_out = loaders(x)

# proof
assert len(held_out.dataset) == 6
assert clamped(x, 1.0, 5.0).max() == 1.0
assert scaled(x).max() == 7.0
assert logged([1], [0.5]) == ["0.5: 1"]
