# a total that each batch sets again; outputs and a sum that are gathered from all batches and read from the last
import torch
from torch import nn


def error_of(model, batches):
    total_error = 0.0
    for x in batches:
        error = (model(x) - x.sum(1, keepdim=True)).abs().mean()
        total_error = error.item()  # check: `total_error` is zero before the loop
    return total_error / len(batches)


def outputs_of(model, batches):
    outputs = []
    for number, x in enumerate(batches):
        y = model(x)
        if number % 2:
            y = y.flip(0)
        outputs.append(y.detach())
    return y  # check: `y` is that of the last iteration; `outputs` gathers it


def mean_of(model, batches):
    summed = 0
    for x in batches:
        value = model(x).square().mean()
        summed += value.item() * len(x)
    return value / len(batches)  # check: nothing reads `summed`


torch.manual_seed(0)
model = nn.Linear(4, 1)
batches = [torch.randn(8, 4), torch.zeros(8, 4)]
with torch.no_grad():
    error, outputs, mean = error_of(model, batches), outputs_of(model, batches), mean_of(model, batches)

# proof
last = model(batches[-1])
assert error == last.abs().mean().item() / 2
assert len(outputs) == len(batches[-1])
assert torch.equal(mean, last.square().mean() / 2)
