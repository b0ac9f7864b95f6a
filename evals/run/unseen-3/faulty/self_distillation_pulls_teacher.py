"""Early exits learn from the last one, which in turn is pulled towards them: its output is not detached."""

import torch
from digest import show
from sklearn.datasets import load_digits
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, TensorDataset


def block(inside, outside):
    return nn.Sequential(
        nn.Conv2d(inside, outside, 3, padding=1, bias=False), nn.BatchNorm2d(outside), nn.ReLU()
    )


class EarlyExits(nn.Module):
    def __init__(self):
        super().__init__()
        self.stages = nn.ModuleList([block(1, 8), block(8, 16), block(16, 32)])
        self.fit = nn.ModuleList([nn.Conv2d(8, 32, 1), nn.Conv2d(16, 32, 1), nn.Identity()])
        self.heads = nn.ModuleList(nn.Linear(32, 10) for _ in range(3))

    def forward(self, x):
        features, scores = [], []
        for stage, fit, head in zip(self.stages, self.fit, self.heads, strict=True):
            x = stage(x)
            features.append(fit(x).mean((2, 3)))
            scores.append(head(features[-1]))
        return features, scores


def loss_of(features, scores, labels, hint=0.1, soft=0.3, heat=3.0):
    total = sum(F.cross_entropy(score, labels) for score in scores)
    teacher = F.softmax(scores[-1].detach() / heat, 1)
    for feature, score in zip(features[:-1], scores[:-1], strict=True):
        student = F.log_softmax(score / heat, 1)
        total = total + soft * heat**2 * F.kl_div(student, teacher, reduction="batchmean")
        total = total + hint * F.mse_loss(feature, features[-1])  # run: target-requires-grad
    return total


torch.manual_seed(0)
digits = load_digits()
images = torch.tensor(digits.images, dtype=torch.float32).unsqueeze(1) / 16
data = TensorDataset(images, torch.tensor(digits.target))
model = EarlyExits()
optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9, nesterov=True)
for epoch in range(2):
    model.train()
    for x, y in DataLoader(data, batch_size=64, shuffle=True):
        features, scores = model(x)
        loss = loss_of(features, scores, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    model.eval()
    with torch.inference_mode():
        _, scores = model(images)
        print(epoch, [f"{(s.argmax(1) == data.tensors[1]).float().mean():.2f}" for s in scores])
show(model)
