"""Dense, convolutional and tabular models."""

import torch
import torch.nn.functional as F
from torch import nn


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(12, 24)
        self.norm = nn.LayerNorm(24)
        self.fc2 = nn.Linear(24, 5)

    def forward(self, x):
        h = torch.relu(self.norm(self.fc1(x)))
        scores = self.fc2(h)
        return scores.log_softmax(dim=1)


def build_mlp():
    return dict(model=Classifier(), args=(torch.randn(16, 12),), targets=torch.randint(5, (16,)), loss=F.nll_loss)


class Tabular(nn.Module):
    def __init__(self):
        super().__init__()
        self.tables = nn.ModuleList(nn.Embedding(n, 4) for n in (7, 3, 11))
        self.norm = nn.BatchNorm1d(6)
        self.head = nn.Sequential(nn.Linear(18, 32), nn.ReLU(), nn.Dropout(0.2), nn.Linear(32, 1))

    def forward(self, categories, numbers):
        embedded = [table(categories[:, i]) for i, table in enumerate(self.tables)]
        numbers = self.norm(numbers)
        x = torch.cat([*embedded, numbers], dim=1)
        return self.head(x).squeeze(1)


def build_tabular():
    codes = torch.stack([torch.randint(n, (20,)) for n in (7, 3, 11)], 1)
    return dict(model=Tabular(), args=(codes, torch.randn(20, 6)), targets=torch.randn(20), loss=F.mse_loss)


class SmallCNN(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(3, 8, 3, padding=1)
        self.bn1 = nn.BatchNorm2d(8)
        self.conv2 = nn.Conv2d(8, 16, 3, padding=1)
        self.fc = nn.Linear(16 * 4 * 4, 10)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.bn1(self.conv1(x))), 2)
        x = F.max_pool2d(F.relu(self.conv2(x)), 2)
        x = x.flatten(1)
        return self.fc(x)


def build_cnn():
    return dict(model=SmallCNN(), args=(torch.randn(16, 3, 16, 16),), targets=torch.randint(10, (16,)), loss=F.cross_entropy)


class Squeeze(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.down = nn.Linear(width, width // 4)
        self.up = nn.Linear(width // 4, width)

    def forward(self, x):
        pooled = x.mean(dim=(2, 3))
        gate = torch.sigmoid(self.up(F.relu(self.down(pooled))))
        return x * gate[:, :, None, None]


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.a = nn.Conv2d(width, width, 3, padding=1, bias=False)
        self.na = nn.BatchNorm2d(width)
        self.b = nn.Conv2d(width, width, 3, padding=1, bias=False)
        self.nb = nn.BatchNorm2d(width)
        self.se = Squeeze(width)

    def forward(self, x):
        out = F.relu(self.na(self.a(x)))
        out = self.se(self.nb(self.b(out)))
        return F.relu(out + x)


class ResNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Conv2d(3, 16, 3, padding=1)
        self.blocks = nn.Sequential(*(Block(16) for _ in range(2)))
        self.head = nn.Linear(16, 10)

    def forward(self, x):
        x = self.blocks(self.stem(x))
        x = x.mean((-2, -1))
        return self.head(x)


def build_resnet():
    return dict(model=ResNet(), args=(torch.randn(12, 3, 8, 8),), targets=torch.randint(10, (12,)), loss=F.cross_entropy)


class Mixer(nn.Module):
    """MLP-Mixer of 16 patches."""

    def __init__(self, width=24, patches=16):
        super().__init__()
        self.embed = nn.Conv2d(3, width, 4, stride=4)
        self.tokens = nn.Sequential(nn.Linear(patches, 32), nn.GELU(), nn.Linear(32, patches))
        self.channels = nn.Sequential(nn.Linear(width, 48), nn.GELU(), nn.Linear(48, width))
        self.n1, self.n2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.head = nn.Linear(width, 6)

    def forward(self, images):
        x = self.embed(images).flatten(2).transpose(1, 2)
        y = self.n1(x).transpose(1, 2)
        x = x + self.tokens(y).transpose(1, 2)
        x = x + self.channels(self.n2(x))
        return self.head(x.mean(1))


def build_mixer():
    return dict(model=Mixer(), args=(torch.randn(10, 3, 16, 16),), targets=torch.randint(6, (10,)), loss=F.cross_entropy)


class Siamese(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(10, 20), nn.Tanh(), nn.Linear(20, 8))
        self.out = nn.Linear(1, 1)

    def forward(self, left, right):
        a, b = self.encoder(left), self.encoder(right)
        distance = (a - b).pow(2).sum(dim=1, keepdim=True)
        return self.out(distance)


def build_siamese():
    return dict(model=Siamese(), args=(torch.randn(12, 10), torch.randn(12, 10)), targets=torch.rand(12, 1), loss=F.mse_loss)


class TwoTowers(nn.Module):
    def __init__(self):
        super().__init__()
        self.users, self.items = nn.Embedding(50, 8), nn.Embedding(80, 8)
        self.user_bias, self.item_bias = nn.Embedding(50, 1), nn.Embedding(80, 1)

    def forward(self, user, item):
        dots = (self.users(user) * self.items(item)).sum(1)
        bias = self.user_bias(user).squeeze(1) + self.item_bias(item).squeeze(1)
        return torch.sigmoid(dots + bias)


def build_two_towers():
    user, item = torch.randint(50, (18,)), torch.randint(80, (18,))
    return dict(model=TwoTowers(), args=(user, item), targets=torch.rand(18), loss=F.binary_cross_entropy)


class Experts(nn.Module):
    def __init__(self, width=16, experts=4, top=2):
        super().__init__()
        self.top = top
        self.router = nn.Linear(width, experts)
        self.experts = nn.ModuleList(
            nn.Sequential(nn.Linear(width, 32), nn.ReLU(), nn.Linear(32, width)) for _ in range(experts)
        )
        self.head = nn.Linear(width, 3)

    def forward(self, x):
        weights = F.softmax(self.router(x), dim=-1)
        best, chosen = weights.topk(self.top, dim=-1)
        out = torch.zeros_like(x)
        for index, expert in enumerate(self.experts):
            rows, slot = (chosen == index).nonzero(as_tuple=True)
            if len(rows):
                out[rows] = out[rows] + best[rows, slot, None] * expert(x[rows])
        return self.head(out)


def build_experts():
    return dict(model=Experts(), args=(torch.randn(20, 16),), targets=torch.randint(3, (20,)), loss=F.cross_entropy)


class DeepSet(nn.Module):
    def __init__(self):
        super().__init__()
        self.phi = nn.Sequential(nn.Linear(4, 24), nn.ReLU(), nn.Linear(24, 24))
        self.rho = nn.Sequential(nn.Linear(24, 24), nn.ReLU(), nn.Linear(24, 2))

    def forward(self, points, mask):
        h = self.phi(points)
        h = h * mask.unsqueeze(-1)
        pooled = h.sum(1) / mask.sum(1, keepdim=True)
        return self.rho(pooled)


def build_deep_set():
    lengths = torch.tensor([9, 3, 6, 9, 4, 5, 7, 2, 9, 8])
    mask = (torch.arange(9)[None] < lengths[:, None]).float()
    points = torch.randn(10, 9, 4) * mask[..., None]
    return dict(model=DeepSet(), args=(points, mask), targets=torch.randint(2, (10,)), loss=F.cross_entropy)
