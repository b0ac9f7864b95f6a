# argument: lr=options["lr"]
import torch

options = {"lr": -1e-3, "epochs": 3}


def make_optimizer(model):
    return torch.optim.Rprop(model.parameters(), lr=options["lr"])


optimizer = make_optimizer(torch.nn.Linear(2, 2))
