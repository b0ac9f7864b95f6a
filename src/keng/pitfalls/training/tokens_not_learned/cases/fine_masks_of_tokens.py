# an end that is learned, then padding; turns with a mark after each; labels that are no next tokens
# needs: nothing
import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(0)
END, PAD, MARK = 1, 0, 2


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed, self.head = nn.Embedding(30, 16), nn.Linear(16, 30)
        self.rnn = nn.GRU(16, 16, batch_first=True)

    def forward(self, ids):
        return self.head(self.rnn(self.embed(ids))[0])


model = Model()
optimizer = torch.optim.Adam(model.parameters())


def step(loss):
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()


for _ in range(8):
    ids, mask = torch.randint(3, 30, (8, 10)), torch.zeros(8, 10)
    ids[:, 6], ids[:, 7:], mask[:, 3:7] = END, PAD, 1
    losses = F.cross_entropy(model(ids)[:, :-1].transpose(1, 2), ids[:, 1:], reduction="none")
    step((losses * mask[:, 1:]).sum() / mask[:, 1:].sum())
for _ in range(8):
    ids, mask = torch.randint(3, 30, (8, 10)), torch.zeros(8, 10)
    ids[:, 5], ids[:, 6], mask[:, 3:6] = END, MARK, 1
    chosen = model(ids)[:, :-1].log_softmax(-1).gather(-1, ids[:, 1:, None]).squeeze(-1)
    step(-(chosen * mask[:, 1:]).sum() / mask[:, 1:].sum())
for _ in range(8):
    ids, labels = torch.randint(3, 30, (8, 10)), torch.randint(3, 30, (8, 10))
    labels[:, -1] = -100
    step(F.cross_entropy(model(ids).flatten(0, 1), labels.flatten()))
