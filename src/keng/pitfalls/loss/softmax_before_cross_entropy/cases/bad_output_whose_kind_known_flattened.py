# of an output whose kind is not known, and flattened
from types import SimpleNamespace

import torch
from torch import nn


def weighted(output, labels):
    found, weight = output.logits.softmax(-1), torch.ones(3)
    labels = labels.view(-1)
    return nn.CrossEntropyLoss(weight=weight)(found.view(-1, 3), labels)  # check: `softmax`


output = SimpleNamespace(logits=nn.Linear(8, 3)(torch.randn(2, 5, 8)))
loss = weighted(output, torch.randint(3, (2, 5)))
loss.backward()
