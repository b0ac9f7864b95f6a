"""A residual net under bfloat16, mixed labels, a cycle stepped each batch, tested on flips too."""

import torch
from digest import show
from sklearn.datasets import load_digits
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, TensorDataset


class Residual(nn.Module):
    def __init__(self, planes):
        super().__init__()
        self.conv1, self.conv2 = (nn.Conv2d(planes, planes, 3, 1, 1, bias=False) for _ in range(2))
        self.bn1, self.bn2 = nn.BatchNorm2d(planes), nn.BatchNorm2d(planes)
        nn.init.zeros_(self.bn2.weight)

    def forward(self, x):
        return F.relu(x + self.bn2(self.conv2(F.relu(self.bn1(self.conv1(x))))))


def build(planes=16):
    return nn.Sequential(
        nn.Conv2d(1, planes, 3, 1, 1, bias=False),
        nn.BatchNorm2d(planes),
        nn.ReLU(),
        Residual(planes),
        nn.MaxPool2d(2),
        Residual(planes),
        nn.AdaptiveAvgPool2d(1),
        nn.Flatten(),
        nn.Dropout(0.1),
        nn.Linear(planes, 10),
    )


def mixup(x, y, alpha=0.3):
    share = torch.distributions.Beta(alpha, alpha).sample()
    order = torch.randperm(len(x))
    soft = F.one_hot(y, 10).float()
    return share * x + (1 - share) * x[order], share * soft + (1 - share) * soft[order]


class Trainer:
    def __init__(self, model, train, test, epochs):
        self.model, self.train, self.test, self.epochs = model, train, test, epochs
        decayed = [p for p in model.parameters() if p.dim() > 1]
        others = [p for p in model.parameters() if p.dim() < 2]
        self.optimizer = torch.optim.SGD(
            [{"params": decayed, "weight_decay": 5e-4}, {"params": others}],
            0.1,
            momentum=0.9,
            nesterov=True,
        )
        self.scheduler = torch.optim.lr_scheduler.OneCycleLR(
            self.optimizer, 0.1, total_steps=epochs * len(train)
        )

    def fit(self):
        for epoch in range(self.epochs):
            self.model.train()
            for x, y in self.train:
                x, soft = mixup(x, y)
                with torch.autocast("cpu", torch.bfloat16):
                    out = self.model(x)
                loss = F.cross_entropy(out.float(), soft)
                self.optimizer.zero_grad(set_to_none=True)
                loss.backward()
                self.optimizer.step()
                self.scheduler.step()
            print(epoch, f"{self.accuracy():.3f} {self.accuracy(flips=True):.3f}")

    @torch.inference_mode()
    def accuracy(self, flips=False):
        self.model.eval()
        right = 0
        for x, y in self.test:
            scores = self.model(x).softmax(1)
            if flips:
                scores = (scores + self.model(x.flip(-1)).softmax(1)) / 2
            right += (scores.argmax(1) == y).sum().item()
        return right / len(self.test.dataset)


torch.manual_seed(0)
digits = load_digits()
x = (torch.tensor(digits.images, dtype=torch.float32).unsqueeze(1) / 16 - 0.3) / 0.38
y = torch.tensor(digits.target)
train = DataLoader(TensorDataset(x[:1200], y[:1200]), 64, shuffle=True, drop_last=True)
test = DataLoader(TensorDataset(x[1200:], y[1200:]), 200)
trainer = Trainer(build(), train, test, 2)
trainer.fit()
show(trainer.model)
