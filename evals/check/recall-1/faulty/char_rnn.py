"""Character model with truncated backpropagation."""
import argparse

import numpy as np
import torch
from torch import nn

p = argparse.ArgumentParser()
p.add_argument('--steps', type=int, default=30)
p.add_argument('--seq', type=int, default=25)
p.add_argument('--seed', type=int, default=3)
args = p.parse_args()

torch.manual_seed(args.seed)
text = 'the quick brown fox jumps over the lazy dog ' * 60
chars = sorted(set(text))
ids = torch.tensor([chars.index(c) for c in text])
start = np.random.randint(0, 50)  # check: seed-incomplete (not planted)


class CharRNN(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.n = n
        self.emb = nn.Embedding(n, 24)
        self.gru = nn.GRU(24, 64, batch_first=True)
        self.out = nn.Linear(64, n)

    def forward(self, x, h):
        y, h = self.gru(self.emb(x), h)
        return self.out(y), h


def sample(model, n=40):
    h = torch.zeros(1, 1, 64)
    x = torch.zeros(1, 1, dtype=torch.long)
    res = ''
    for _ in range(n):
        logits, h = model(x, h)
        probs = nn.functional.softmax(logits[0, -1])  # check: softmax-dim-missing
        x = torch.multinomial(probs, 1).view(1, 1)
        res += chars[x.item()]
    return res


model = CharRNN(len(chars))
opt = torch.optim.RMSprop(model.parameters(), lr=2e-3)
h = torch.zeros(1, 1, 64)
for step in range(args.steps):
    i = (start + step * args.seq) % (len(ids) - args.seq - 1)
    x = ids[i:i + args.seq].unsqueeze(0)
    y = ids[i + 1:i + args.seq + 1].unsqueeze(0)
    logits, h = model(x, h)
    loss = nn.functional.cross_entropy(logits.view(-1, model.n), y.view(-1))
    opt.zero_grad()
    loss.backward()  # check: backward-twice
    nn.utils.clip_grad_norm_(model.parameters(), 5)
    opt.step()
    if step % 10 == 0:
        model.eval()
        with torch.no_grad():
            print(loss.item(), sample(model))
        model.train()
