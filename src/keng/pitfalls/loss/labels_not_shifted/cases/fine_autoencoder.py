# an autoencoder of texts; a model that predicts the next token
import torch
from torch import nn

torch.manual_seed(0)


class Reader(nn.Module):
    def __init__(self):
        super().__init__()
        self.words, self.out = nn.Embedding(12, 16), nn.Linear(16, 12)
        self.rnn = nn.GRU(16, 16, batch_first=True)

    def forward(self, ids):
        return self.out(self.rnn(self.words(ids))[0])


coder, writer = Reader(), Reader()
optimizer = torch.optim.Adam([*coder.parameters(), *writer.parameters()], lr=0.01)
for step in range(12):
    ids = torch.randint(12, (16, 9))
    same = nn.functional.cross_entropy(coder(ids).transpose(1, 2), ids)
    ahead = nn.functional.cross_entropy(writer(ids)[:, :-1].transpose(1, 2), ids[:, 1:])
    optimizer.zero_grad()
    (same + ahead).backward()
    optimizer.step()
with torch.no_grad():
    text = torch.tensor([[3]])
    for _ in range(6):
        text = torch.cat([text, writer(text)[:, -1:].argmax(-1)], 1)
    again = coder(text).argmax(-1)
