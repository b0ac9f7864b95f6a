# in a function of its own, given to another
import torch
from torch import nn


def log_cosh(prediction, target):
    off = prediction - target  # run: the output (8, 1) of `model`
    return (off + nn.functional.softplus(-2 * off) - 0.6931).mean()


def stepper(model, loss_of):
    def step(x, y):
        loss = loss_of(model(x), y)
        loss.backward()

    return step


step = stepper(nn.Linear(4, 1), log_cosh)
step(torch.randn(8, 4), torch.randn(8))
