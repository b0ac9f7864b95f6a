import random
import numpy as np
import torch
import torch.nn as nn

torch.manual_seed(7)  # check: seed-incomplete
random.seed(7)
corpus = [w for _ in range(200) for w in ('a b c d e f g h'.split())]
vocab = {w: i for i, w in enumerate(sorted(set(corpus)))}


def pairs(window=2):
    out = []
    for i, w in enumerate(corpus):
        for j in range(max(0, i - window), min(len(corpus), i + window + 1)):
            if i != j:
                out.append((vocab[w], vocab[corpus[j]]))
    np.random.shuffle(out)
    return out


class SkipGram(nn.Module):
    def __init__(self, n, d=16):
        super().__init__()
        self.inp, self.out = nn.Embedding(n, d), nn.Embedding(n, d)

    def forward(self, c, o, neg):
        v = self.inp(c)
        v.data.div_(v.data.norm(dim=1, keepdim=True) + 1e-8)  # check: data-attribute
        pos = (v * self.out(o)).sum(1)
        negs = torch.bmm(self.out(neg), v.unsqueeze(2)).squeeze(2)
        a = torch.log(torch.sigmoid(pos))  # check: unstable-log
        b = nn.functional.logsigmoid(-negs).sum(1)
        return -(a + b).mean()


model = SkipGram(len(vocab))
opt = torch.optim.SGD(model.parameters(), lr=0.1)
data = torch.tensor(pairs())
avg = 0
for it, batch in enumerate(data.split(64)):
    c, o = batch[:, 0], batch[:, 1]
    neg = torch.randint(0, len(vocab), (len(c), 5))
    loss = model(c, o, neg)
    loss.backward()
    opt.step()  # check: zero-grad-missing
    avg = 0.9 * avg + 0.1 * loss  # check: loss-keeps-graph
print(avg.item())
