# a tagger, whose targets are not its inputs
import torch
from torch import nn


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(30, 16)
        self.mix = nn.Conv1d(16, 16, 3, padding=1)
        self.head = nn.Linear(16, 5)

    def forward(self, ids):
        x = self.embed(ids).transpose(1, 2)
        return self.head(torch.relu(self.mix(x)).transpose(1, 2))


model = Tagger()
optimizer = torch.optim.AdamW(model.parameters())
for _ in range(10):
    ids, tags = torch.randint(30, (12, 13)), torch.randint(5, (12, 13))
    optimizer.zero_grad()
    nn.functional.cross_entropy(model(ids).flatten(0, 1), tags.flatten()).backward()
    optimizer.step()
