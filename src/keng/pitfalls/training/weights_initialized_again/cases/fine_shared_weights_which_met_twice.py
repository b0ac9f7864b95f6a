# shared weights, which are met twice; special values afterwards; a draw until it pleases; several models; anew between two trainings
import torch
from torch import nn


class Language(nn.Module):
    def __init__(self):
        super().__init__()
        self.words, self.out = nn.Embedding(8, 4), nn.Linear(4, 8, bias=False)
        self.out.weight = self.words.weight
        self.apply(self.initialize)
        for p in self.parameters():
            nn.init.normal_(p, std=0.01)

    def initialize(self, module):
        if isinstance(module, (nn.Linear, nn.Embedding)):
            nn.init.normal_(module.weight, std=0.02)

    def forward(self, x):
        return self.out(self.words(x))


torch.manual_seed(0)
for trial in range(2):
    model = Language()
    while model.out.weight.abs().max() > 0.03:
        nn.init.normal_(model.out.weight, std=0.01)
    for training in range(2):
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        model(torch.arange(8)).square().mean().backward()
        optimizer.step()
        model.apply(model.initialize)
