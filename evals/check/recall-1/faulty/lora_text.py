import torch
from torch import nn


class LoRALinear(nn.Module):
    def __init__(self, base: nn.Linear, r=4):
        super().__init__()
        self.base = base
        base.weight.requires_gard = False  # check: require-grad-typo
        self.a = nn.Parameter(torch.randn(r, base.in_features) * 0.01)
        self.b = nn.Parameter(torch.zeros(base.out_features, r))

    def forward(self, x):
        return self.base(x) + x @ self.a.t() @ self.b.t()


class Tagger(nn.Module):
    def __init__(self, vocab=100, d=32, tags=6):
        super().__init__()
        self.emb = nn.Embedding(vocab, d)
        self.rnn = nn.GRU(d, d, bidirectional=True, batch_first=True)
        self.out = nn.Linear(2 * d, tags)

    def forward(self, x):
        return self.out(self.rnn(self.emb(x))[0])


model = Tagger()
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
model.out = LoRALinear(model.out)  # check: parameters-not-optimized
criterion = nn.CrossEntropyLoss()
scheduler = torch.optim.lr_scheduler.ExponentialLR(optimizer, 0.95)
best = None

for epoch in range(3):
    model.train()
    for _ in range(5):
        x, y = torch.randint(0, 100, (8, 12)), torch.randint(0, 6, (8, 12))
        logits = model(x)
        loss = criterion(logits.permute(0, 2, 1), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        scheduler.step()
    flat = logits.transpose(1, 2).view(-1)  # check: view-of-noncontiguous
    print(epoch, flat.abs().max().item(), scheduler.get_last_lr())
