import torch
from torch import nn
from torch.nn.utils import prune


class Encoder(nn.Module):
    def __init__(self, width=24):
        super().__init__()
        self.gru = nn.GRU(width, width, batch_first=True)
        self.out = nn.Linear(width, 3)

    def forward(self, x):
        return self.out(self.gru(x)[0][:, -1])


model = Encoder()
targets = [(model.out, "weight"), (model.gru, "weight_ih")]
prune.global_unstructured(targets, pruning_method=prune.L1Unstructured, amount=0.2)
print(model(torch.randn(2, 7, 24)).shape)
