# the last of a search; a state that goes from round to round; a list that is read; a counter; a total of a few values
import torch
from torch import nn


def first_small(values):
    place = 0
    for number, value in enumerate(values):
        place = number
        if value < 0.5:
            break
    return place / len(values)


def last_error(model, batches):
    last = 0.0
    for x in batches:
        last = model(x).abs().mean().item()
    return last


def states(layer, x, steps):
    seen = []
    state = x
    for _ in range(steps):
        state = torch.tanh(layer(state))
        seen.append(state)
    return state


def parts(x, widths):
    start, found = 0, []
    for width in widths:
        part = x[:, start : start + width]
        start += width
        found.append(part)
    return found, part.shape


def mean_of(model, batches):
    total = 0.0
    for x in batches:
        total = total + model(x).mean().item()
    return total / len(batches)


torch.manual_seed(0)
layer = nn.Linear(4, 4)
batches = [torch.rand(2, 4), torch.rand(2, 4)]
with torch.no_grad():
    print(first_small([1.0, 0.2]), last_error(layer, batches), mean_of(layer, batches))
    print(states(layer, batches[0], 3).shape, parts(batches[0], [1, 3])[1])
