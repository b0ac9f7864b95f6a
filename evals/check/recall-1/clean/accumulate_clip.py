import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

ACCUM = 4
net = nn.Sequential(nn.Linear(10, 32), nn.LayerNorm(32), nn.ReLU(), nn.Linear(32, 3))
opt = torch.optim.AdamW(net.parameters(), lr=1e-3)
steps_total = 30
warmup = torch.optim.lr_scheduler.LambdaLR(opt, lambda s: min(1.0, (s + 1) / 10))
ds = TensorDataset(torch.randn(333, 10), torch.randint(0, 3, (333,)))
dl = DataLoader(ds, 16, shuffle=True)
criterion = nn.CrossEntropyLoss(label_smoothing=0.1)

step = 0
opt.zero_grad()
for epoch in range(4):
    running, seen = 0.0, 0
    for i, (x, y) in enumerate(dl):
        group = min(ACCUM, len(dl) - i // ACCUM * ACCUM)
        loss = criterion(net(x), y)
        (loss / group).backward()
        running += loss.item() * len(x)
        seen += len(x)
        if (i + 1) % ACCUM and i + 1 != len(dl):
            continue
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        opt.step()
        warmup.step()
        opt.zero_grad()
        step += 1
    print(epoch, running / seen, warmup.get_last_lr()[0])
