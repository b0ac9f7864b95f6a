# the momentum of an optimizer is given to a function that changes it in place
import torch
from torch import nn


def projected(weight, update):
    update -= weight * (weight * update).sum()
    return update


class Projected(torch.optim.Optimizer):
    def __init__(self, params):
        super().__init__(params, {"lr": 0.1, "nesterov": False})

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            for weight in group["params"]:
                state = self.state[weight]
                if not state:
                    state["momentum"] = torch.zeros_like(weight)
                momentum = state["momentum"]
                momentum.mul_(0.9).add_(weight.grad)
                if group["nesterov"]:
                    update = weight.grad + 0.9 * momentum
                else:
                    update = momentum
                update = projected(weight, update)  # check: `update` is `state['momentum']` itself
                weight.add_(update, alpha=-group["lr"])


layer = nn.Linear(2, 1, bias=False)
nn.init.constant_(layer.weight, 0.5)
optimizer = Projected(layer.parameters())
layer(torch.ones(1, 2)).sum().backward()
optimizer.step()

# proof
assert not torch.allclose(optimizer.state[layer.weight]["momentum"], layer.weight.grad)
