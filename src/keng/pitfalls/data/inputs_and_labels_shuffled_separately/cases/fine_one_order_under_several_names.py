# one order under several names; the same seed; the same generator again; two views of the same kind; pairs that should not match
import random

import torch

random.seed(0)
x, y = torch.randn(8, 3), torch.randint(2, (8,))
order = torch.randperm(8)
x = x[order]
y = y[order]
lam = 0.3
mixed = lam * x + (1 - lam) * x[order]
first = torch.randn(8, 3)
first = 0.5 * first + 0.5 * first[torch.randperm(8)]
x = 0.5 * x + 0.5 * x[torch.randperm(8)]
y_other = y[torch.randperm(8)]
x_other = x[torch.randperm(8)]
null = [y[torch.randperm(8)].float().mean() for _ in range(3)]


def together(inputs, labels):
    torch.manual_seed(0)
    inputs = inputs[torch.randperm(8)]
    torch.manual_seed(0)
    labels = labels[torch.randperm(8)]
    return inputs, labels


def by_generator(inputs, labels):
    inputs = inputs[torch.randperm(8, generator=torch.Generator().manual_seed(0))]
    labels = labels[torch.randperm(8, generator=torch.Generator().manual_seed(0))]
    return inputs, labels


def listed(inputs, labels):
    state = random.getstate()
    random.shuffle(inputs)
    random.setstate(state)
    random.shuffle(labels)
    return inputs, labels


x, y = together(x, y)
x, y = by_generator(x, y)
files, targets = listed(list(range(8)), list(range(8)))
