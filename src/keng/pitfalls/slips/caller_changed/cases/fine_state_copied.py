# the function gets a clone, or gives back a new tensor
import torch
from torch import nn


def projected(weight, update):
    update -= weight * (weight * update).sum()
    return update


def scaled(weight, update):
    update = update * weight.norm()
    update *= 2
    return update


def moved_in_place(weight, momentum):
    momentum.mul_(0.5)
    weight.add_(momentum)
    return momentum


class Projected(torch.optim.Optimizer):
    def __init__(self, params):
        super().__init__(params, {"lr": 0.1})

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            for weight in group["params"]:
                state = self.state[weight]
                if not state:
                    state["momentum"] = torch.zeros_like(weight)
                momentum = state["momentum"]
                momentum.mul_(0.9).add_(weight.grad)
                update = projected(weight, momentum.clone()) + scaled(weight, momentum)
                moved_in_place(weight, momentum)
                weight.add_(update, alpha=-group["lr"])


layer = nn.Linear(2, 1, bias=False)
layer(torch.ones(1, 2)).sum().backward()
Projected(layer.parameters()).step()
