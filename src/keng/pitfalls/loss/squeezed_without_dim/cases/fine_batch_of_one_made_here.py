# a batch of one sample that is made here and taken apart again
import torch
from torch import nn

film, gating = nn.Linear(3, 4), nn.Linear(3, 1)


def modulate(delta):
    gamma, beta, gate = film(delta.unsqueeze(0)), film(delta.unsqueeze(0)), gating(delta.unsqueeze(0))
    gamma = gamma.squeeze(0)
    beta = beta.squeeze(0)
    gate = gate.squeeze()
    return gate * gamma + beta


modulate(torch.rand(3))
