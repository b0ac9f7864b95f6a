import torch
from torch import nn


def detach(h):
    return h.detach() if isinstance(h, torch.Tensor) else tuple(detach(v) for v in h)


class LM(nn.Module):
    def __init__(self, vocab=40, d=32, tie=True):
        super().__init__()
        self.drop = nn.Dropout(0.2)
        self.enc = nn.Embedding(vocab, d)
        self.rnn = nn.LSTM(d, d, 2, dropout=0.2)
        self.dec = nn.Linear(d, vocab)
        if tie:
            self.dec.weight = self.enc.weight

    def forward(self, x, h):
        y, h = self.rnn(self.drop(self.enc(x)), h)
        return self.dec(self.drop(y)), h

    def init(self, b):
        w = next(self.parameters())
        return w.new_zeros(2, b, 32), w.new_zeros(2, b, 32)


def batchify(ids, b):
    n = ids.numel() // b
    return ids[:n * b].view(b, n).t().contiguous()


def evaluate(model, data, bptt=10):
    model.eval()
    total, h = 0.0, model.init(data.size(1))
    with torch.no_grad():
        for i in range(0, len(data) - 1, bptt):
            n = min(bptt, len(data) - 1 - i)
            out, h = model(data[i:i + n], h)
            total += n * nn.functional.cross_entropy(out.flatten(0, 1), data[i + 1:i + 1 + n].flatten()).item()
            h = detach(h)
    return total / (len(data) - 1)


data = batchify(torch.randint(0, 40, (2000,)), 8)
model = LM()
lr = 1.0
for epoch in range(2):
    model.train()
    h = model.init(8)
    for i in range(0, len(data) - 1, 10):
        n = min(10, len(data) - 1 - i)
        h = detach(h)
        model.zero_grad()
        out, h = model(data[i:i + n], h)
        loss = nn.functional.cross_entropy(out.view(-1, 40), data[i + 1:i + 1 + n].reshape(-1))
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 0.25)
        with torch.no_grad():
            for p in model.parameters():
                p.add_(p.grad, alpha=-lr)
    print(epoch, evaluate(model, data))
    lr /= 4.0
