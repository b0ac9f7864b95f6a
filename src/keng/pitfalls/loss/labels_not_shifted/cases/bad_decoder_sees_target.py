# the decoder of a translation is given the target that it is compared with
import torch
from torch import nn

torch.manual_seed(0)
START = 10


class Translator(nn.Module):
    def __init__(self):
        super().__init__()
        self.words, self.out = nn.Embedding(11, 24), nn.Linear(24, 11)
        self.reads, self.writes = nn.GRU(24, 24, batch_first=True), nn.GRU(24, 24, batch_first=True)

    def forward(self, source, target):
        _, state = self.reads(self.words(source))
        return self.out(self.writes(self.words(target), state)[0])


def pairs():
    source = torch.randint(10, (24, 7))
    return source, torch.cat([torch.full((24, 1), START), source.flip(1)], 1)


model = Translator()
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for step in range(60):
    source, target = pairs()
    scores = model(source, target)
    loss = nn.functional.cross_entropy(scores.transpose(1, 2), target)  # run: it learns to repeat them
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
model.eval()
source, target = pairs()
written = target[:, :1]
with torch.no_grad():
    for _ in range(7):
        written = torch.cat([written, model(source, written)[:, -1:].argmax(-1)], 1)
# proof
assert loss < 0.5 and (written[:, 1:] == target[:, 1:]).float().mean() < 0.4
