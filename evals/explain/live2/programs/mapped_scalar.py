import torch
from torch import nn
from torch.func import functional_call, vmap

model = nn.Linear(6, 3)
parameters = dict(model.named_parameters())
temperature = torch.tensor(0.7)


def score(x, temperature):
    logits = functional_call(model, parameters, (x,))
    return torch.softmax(logits / temperature, 0)


batch = torch.randn(5, 6)
print(vmap(score)(batch, temperature).shape)
