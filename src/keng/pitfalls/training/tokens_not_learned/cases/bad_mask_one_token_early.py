# the mask of answers is shifted once too often, so the end is never learned
# needs: nothing
import torch
from torch import nn

torch.manual_seed(0)
END = 1
embed, rnn, head = nn.Embedding(30, 16), nn.GRU(16, 16, batch_first=True), nn.Linear(16, 30)
optimizer = torch.optim.Adam([*embed.parameters(), *rnn.parameters(), *head.parameters()])


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed, self.rnn, self.head = embed, rnn, head

    def forward(self, ids):
        return self.head(self.rnn(self.embed(ids))[0])


model = Model()
for step in range(12):
    ids = torch.randint(2, 30, (8, 9))
    ids[:, -1] = END
    mask = torch.zeros(8, 9)
    mask[:, 4:-1] = 1
    losses = nn.functional.cross_entropy(model(ids)[:, :-1].transpose(1, 2), ids[:, 1:], reduction="none")
    loss = (losses * mask[:, 1:]).sum() / mask[:, 1:].sum()
    optimizer.zero_grad()
    loss.backward()  # run: ends one token early
    optimizer.step()
