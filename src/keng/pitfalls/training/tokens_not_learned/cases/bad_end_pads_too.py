# the token that ends a text pads it as well, and labels equal to it are ignored
# needs: nothing
import torch
from torch import nn

torch.manual_seed(0)
END = 0


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed, self.head = nn.Embedding(30, 16), nn.Linear(16, 30)
        self.rnn = nn.GRU(16, 16, batch_first=True)

    def forward(self, ids):
        return self.head(self.rnn(self.embed(ids))[0])


model = Model()
optimizer = torch.optim.Adam(model.parameters())
learned = 0
for step in range(14):
    lengths = torch.randint(4, 12, (8, 1))
    ids = torch.randint(1, 30, (8, int(lengths.max())))
    ids[torch.arange(ids.shape[1]) >= lengths - 1] = END
    labels = ids.masked_fill(ids == END, -100)
    loss = nn.functional.cross_entropy(model(ids)[:, :-1].flatten(0, 1), labels[:, 1:].flatten())
    learned += (labels == END).sum()
    optimizer.zero_grad()
    loss.backward()  # run: which ends every text and pads it as well
    optimizer.step()
# proof
assert learned == 0
