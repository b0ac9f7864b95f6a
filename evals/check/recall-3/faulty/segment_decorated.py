"""A step decorated for AMP, finetuning a frozen encoder."""
import functools

import torch
import torch.nn as nn
import torch.nn.functional as F
import torchvision
from torch.utils.data import DataLoader


def autocasted(fn):
    @functools.wraps(fn)
    def inner(*args, **kwargs):
        with torch.autocast("cuda", torch.float16):
            return fn(*args, **kwargs)

    return inner


def evaluating(fn):
    @functools.wraps(fn)
    @torch.no_grad()
    def inner(model, *args, **kwargs):
        was = model.training
        model.eval()
        try:
            return fn(model, *args, **kwargs)
        finally:
            model.train(was)

    return inner


class Segmenter(nn.Module):
    def __init__(self, classes):
        super().__init__()
        trunk = torchvision.models.resnet50(weights="IMAGENET1K_V2")
        self.encoder = nn.Sequential(*list(trunk.children())[:-2])
        for p in self.encoder.parameters():
            p.requires_grad = False  # check: batchnorm-updates-in-forward
        self.decoder = nn.Sequential(nn.Conv2d(2048, 256, 3, padding=1), nn.ReLU(), nn.Conv2d(256, classes, 1))
        self.register_buffer("mean", torch.tensor([0.485, 0.456, 0.406]).view(1, 3, 1, 1))

    def forward(self, x):
        y = self.decoder(self.encoder(x - self.mean))
        return F.interpolate(y, x.shape[-2:], mode="bilinear", align_corners=False)


def dice_loss(logits, target):
    p = torch.sigmoid(logits)
    return 1 - (2 * (p * target).sum() + 1) / (p.sum() + target.sum() + 1)


@autocasted
def compute(model, batch):
    image, mask = batch
    logits = model(image.cuda())
    return F.binary_cross_entropy_with_logits(torch.sigmoid(logits), mask.cuda()) + dice_loss(logits, mask.cuda())  # check: bce-wants-probabilities


@evaluating
def score(model, loader):
    return sum(dice_loss(model(x.cuda()), y.cuda()).item() for x, y in loader) / len(loader)


def fit(train, valid, epochs=20):
    model = Segmenter(1).cuda()
    opt = torch.optim.AdamW(model.parameters(), 3e-4)
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, 3e-3, epochs=epochs, steps_per_epoch=len(train))
    for epoch in range(epochs):
        for batch in train:
            opt.zero_grad()
            loss = compute(model, batch)
            loss.backward()  # check: amp-order
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()
        sched.step()  # check: scheduler-before-optimizer (one-cycle, stepped once an epoch)
        print(epoch, score(model, valid))
