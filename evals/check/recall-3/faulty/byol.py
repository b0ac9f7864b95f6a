"""Bootstrap your own latent, with a momentum encoder."""
import argparse
import copy

import torch
import torch.nn as nn
import torch.nn.functional as F
import torchvision
from torch.utils.data import DataLoader
from torchvision import transforms as T


def projector(dim_in, hidden=512, out=128):
    return nn.Sequential(nn.Linear(dim_in, hidden, bias=False), nn.BatchNorm1d(hidden), nn.ReLU(True), nn.Linear(hidden, out))


class TwoCrops:
    def __init__(self, base):
        self.base = base

    def __call__(self, image):
        return self.base(image), self.base(image)


class BYOL(nn.Module):
    def __init__(self, m=0.99):
        super().__init__()
        self.m = m
        trunk = torchvision.models.resnet18(weights=None)
        trunk.fc = nn.Identity()
        self.online = nn.Sequential(trunk, projector(512))
        self.target = copy.deepcopy(self.online)
        for p in self.target.parameters():
            p.require_grad = False  # check: require-grad-typo

    @torch.no_grad()
    def update(self):
        for o, t in zip(self.online.parameters(), self.target.parameters()):
            t.data.mul_(self.m).add_(o.data, alpha=1 - self.m)

    def loss(self, a, b):
        p = self.predictor(self.online(a))
        z = self.target(b)  # check: gradient-leaks-into-frozen
        return 2 - 2 * F.cosine_similarity(p, z, dim=-1).mean()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=200)
    ap.add_argument("--batch", type=int, default=256)
    args = ap.parse_args()
    aug = T.Compose([T.RandomResizedCrop(32), T.RandomHorizontalFlip(), T.ToTensor()])
    data = torchvision.datasets.CIFAR10("data", transform=TwoCrops(aug), download=True)
    loader = DataLoader(data, args.batch, shuffle=True, drop_last=True, num_workers=4, pin_memory=True)

    model = BYOL().cuda()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.03, momentum=0.9, weight_decay=4e-4)
    model.predictor = projector(128).cuda()  # check: parameters-not-optimized
    for epoch in range(args.epochs):
        total = 0
        for (a, b), _ in loader:
            a, b = a.cuda(non_blocking=True), b.cuda(non_blocking=True)
            loss = model.loss(a, b) + model.loss(b, a)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            model.update()
            total += loss.detach()
        print(epoch, (total / len(loader)).item())
    torch.save(model.online[0].state_dict(), "byol.pt")


if __name__ == "__main__":
    main()
