# texts without an end that are padded to the longest; to a fixed length; with an end that is learned
# needs: nothing
import torch
from torch import nn

torch.manual_seed(0)
END, PAD = 1, 0


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed, self.head = nn.Embedding(30, 16), nn.Linear(16, 30)
        self.rnn = nn.GRU(16, 16, batch_first=True)

    def forward(self, ids):
        return self.head(self.rnn(self.embed(ids))[0])


for fixed, ends in ((0, False), (16, False), (0, True)):
    model = Model()
    optimizer = torch.optim.Adam(model.parameters())
    for step in range(14):
        lengths = torch.randint(4, 12, (8, 1))
        ids = torch.randint(2, 30, (8, fixed or int(lengths.max())))
        if ends:
            ids.scatter_(1, lengths - 1, END)
        ids[torch.arange(ids.shape[1]) >= lengths] = PAD
        labels = ids.masked_fill(ids == PAD, -100)
        loss = nn.functional.cross_entropy(model(ids)[:, :-1].flatten(0, 1), labels[:, 1:].flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
