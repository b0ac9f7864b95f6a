"""A new head on a frozen, shared backbone for another scanner's images, after kdexd/virtex issue 16."""

import torch
from sklearn.datasets import load_digits
from torch import nn
from torch.nn import functional as F

torch.manual_seed(13)
data = load_digits()
images = torch.tensor(data.images[:, None] / 16.0, dtype=torch.float32)
labels = torch.tensor(data.target)
order = torch.randperm(len(labels))
first, second, held_out = order[:700], order[700:1200], order[1200:]


def block(inputs, outputs):
    return nn.Sequential(nn.Conv2d(inputs, outputs, 3, padding=1, bias=False), nn.BatchNorm2d(outputs), nn.ReLU(inplace=True))


class Backbone(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = block(1, 16)
        self.stage1 = nn.Sequential(block(16, 32), nn.MaxPool2d(2))
        self.stage2 = nn.Sequential(block(32, 32), nn.MaxPool2d(2))

    def forward(self, x):
        return self.stage2(self.stage1(self.stem(x))).flatten(1)


def scanner(x):
    return 0.35 * x + 0.6 + 0.05 * torch.randn_like(x)


@torch.no_grad()
def accuracy(backbone, head, x, y):
    backbone.eval()
    head.eval()
    return (head(backbone(x)).argmax(1) == y).float().mean().item()


def pretrain(backbone, head, epochs=8):
    optimizer = torch.optim.SGD([*backbone.parameters(), *head.parameters()], lr=0.05, momentum=0.9)
    for epoch in range(epochs):
        backbone.train()
        head.train()
        for index in first[torch.randperm(len(first))].split(50):
            loss = F.cross_entropy(head(backbone(images[index])), labels[index])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    print(f"pretrained, loss {loss.item():.4f}")


def linear_probe(backbone, head, epochs=12):
    for parameter in backbone.parameters():
        parameter.requires_grad = False
    optimizer = torch.optim.SGD(head.parameters(), lr=0.1, momentum=0.9)
    for epoch in range(epochs):
        backbone.train()  # run: batchnorm-updates-in-forward
        head.train()
        for index in second[torch.randperm(len(second))].split(50):
            logits = head(backbone(scanner(images[index])))
            loss = F.cross_entropy(logits, labels[index] % 2)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        if epoch % 4 == 3:
            print(f"epoch {epoch} loss {loss.item():.4f}")


backbone = Backbone()
digit_head, parity_head = nn.Linear(128, 10), nn.Linear(128, 2)
pretrain(backbone, digit_head)
before = accuracy(backbone, digit_head, images[held_out], labels[held_out])
linear_probe(backbone, parity_head)
after = accuracy(backbone, digit_head, images[held_out], labels[held_out])
parity = accuracy(backbone, parity_head, scanner(images[held_out]), labels[held_out] % 2)
print(f"parity accuracy {parity:.4f}")
print(f"digit accuracy {before:.4f} before the probe and {after:.4f} after it")
print(f"checksum {sum(p.double().sum() for m in (backbone, digit_head, parity_head) for p in m.state_dict().values()).item():.6f}")
