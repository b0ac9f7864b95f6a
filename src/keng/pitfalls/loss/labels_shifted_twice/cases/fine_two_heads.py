# two heads, of which one predicts the next token and the other the one after it; tokens that repeat
# needs: nothing
import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(0)


class Ahead(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed, self.rnn = nn.Embedding(9, 8), nn.GRU(8, 16, batch_first=True)
        self.first, self.second = nn.Linear(16, 9), nn.Linear(16, 9)

    def forward(self, ids):
        hidden = self.rnn(self.embed(ids))[0]
        return self.first(hidden), self.second(hidden)


model = Ahead()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
for step in range(10):
    ids = torch.randint(9, (8, 14)) if step % 2 else torch.full((8, 14), 3)
    one, two = model(ids)
    later = F.cross_entropy(two[:, :-2].transpose(1, 2), ids[:, 2:])
    optimizer.zero_grad()
    (F.cross_entropy(one[:, :-1].transpose(1, 2), ids[:, 1:]) + 0.3 * later).backward()
    optimizer.step()
