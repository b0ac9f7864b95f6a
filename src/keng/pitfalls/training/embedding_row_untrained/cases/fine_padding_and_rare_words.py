# padding that training reads and masks; a few rare words; a table that was loaded
import torch
from torch import nn

torch.manual_seed(0)


class Mean(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed, self.other, self.out = nn.Embedding(60, 8), nn.Embedding(60, 8), nn.Linear(16, 2)

    def forward(self, ids):
        kept = (ids > 0).float().unsqueeze(-1)
        both = torch.cat([self.embed(ids), self.other(ids)], -1)
        return self.out((both * kept).sum(1) / kept.sum(1))


def batch(words):
    ids = torch.randint(1, words, (16, 12))
    ids[:, 6:] = 0
    return ids


model = Mean()
model.other.load_state_dict(nn.Embedding(60, 8).state_dict())
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for step in range(30):
    ids = batch(50)
    optimizer.zero_grad()
    nn.functional.cross_entropy(model(ids), ids[:, 0] % 2).backward()
    optimizer.step()
model.eval()
with torch.no_grad():
    scores = model(batch(60))
