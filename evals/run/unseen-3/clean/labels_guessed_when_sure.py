"""Few labels and many guesses (FixMatch), of which none is sure at first; an average is what is tested."""

import torch
from digest import show
from sklearn.datasets import load_digits
from torch import nn
from torch.nn import functional as F
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn
from torch.utils.data import DataLoader, TensorDataset


def endless(loader):
    while True:
        yield from loader


def weak(x):
    return x + 0.02 * torch.randn_like(x)


def strong(x):
    x = x.roll(int(torch.randint(-1, 2, ())), -1) + 0.1 * torch.randn_like(x)
    return x * (torch.rand_like(x) > 0.2)


torch.manual_seed(0)
digits = load_digits()
x = torch.tensor(digits.images, dtype=torch.float32).unsqueeze(1) / 16
y = torch.tensor(digits.target)
order = torch.randperm(len(x))
few, many, held_out = order[:80], order[80:1400], order[1400:]
labelled = endless(DataLoader(TensorDataset(x[few], y[few]), 16, shuffle=True))
unlabelled = endless(DataLoader(TensorDataset(x[many]), 64, shuffle=True, drop_last=True))
model = nn.Sequential(
    nn.Conv2d(1, 16, 3, padding=1),
    nn.BatchNorm2d(16),
    nn.ReLU(),
    nn.MaxPool2d(2),
    nn.Conv2d(16, 32, 3, padding=1),
    nn.BatchNorm2d(32),
    nn.ReLU(),
    nn.AdaptiveAvgPool2d(1),
    nn.Flatten(),
    nn.Dropout(0.2),
    nn.Linear(32, 10),
)
average = AveragedModel(model, multi_avg_fn=get_ema_multi_avg_fn(0.95), use_buffers=True)
optimizer = torch.optim.SGD(model.parameters(), 0.03, momentum=0.9, nesterov=True)
scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, 150)
model.train()
for step in range(150):
    (rows, labels), (others,) = next(labelled), next(unlabelled)
    scores = model(torch.cat([weak(rows), weak(others), strong(others)]))
    known, guessed, seen = scores.split([len(rows), len(others), len(others)])
    chance, guess = guessed.detach().softmax(1).max(1)
    sure = (chance > 0.9).float()
    unsupervised = (F.cross_entropy(seen, guess, reduction="none") * sure).mean()
    loss = F.cross_entropy(known, labels) + unsupervised
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    scheduler.step()
    average.update_parameters(model)
    if step % 50 == 49:
        model.eval()
        average.eval()
        with torch.no_grad():
            right = [
                (net(x[held_out]).argmax(1) == y[held_out]).float() for net in (model, average)
            ]
        print(step, f"{sure.mean():.2f}", *(f"{each.mean():.3f}" for each in right))
        model.train()
show(model, average)
