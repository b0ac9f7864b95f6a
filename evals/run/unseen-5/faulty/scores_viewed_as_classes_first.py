"""A tagger's scores are brought into the order that the loss wants by `view`, which mixes them."""

import torch
from digest import show
from torch import nn

WORDS, TAGS, LENGTH = 30, 5, 12


class Tagger(nn.Module):
    def __init__(self, hidden=32):
        super().__init__()
        self.embed = nn.Embedding(WORDS, hidden)
        self.lstm = nn.LSTM(hidden, hidden, batch_first=True, bidirectional=True)
        self.out = nn.Linear(2 * hidden, TAGS)

    def forward(self, sentences):
        h, _ = self.lstm(self.embed(sentences))
        return self.out(h)


def get_batch(n=32):
    words = torch.randint(0, WORDS, (n, LENGTH))
    return words, words % TAGS


torch.manual_seed(0)
tagger = Tagger()
optimizer = torch.optim.Adam(tagger.parameters(), lr=1e-2)
criterion = nn.CrossEntropyLoss()
for step in range(80):
    words, tags = get_batch()
    scores = tagger(words)
    scores = scores.view(words.size(0), TAGS, LENGTH)  # run: view-mixes-dimensions
    loss = criterion(scores, tags)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 20 == 0:
        print(step, f"{loss.item():.3f}")

tagger.eval()
with torch.no_grad():
    words, tags = get_batch(100)
    print(f"{(tagger(words).argmax(-1) == tags).float().mean().item():.3f}")
show(tagger)
