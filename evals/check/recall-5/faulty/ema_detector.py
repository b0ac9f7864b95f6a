"""Semi-supervised training with an exponential moving average and pseudo-labels."""
import copy
import itertools
import json

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, IterableDataset
from torchvision import transforms
from torchvision.models import resnet50


class Unlabelled(IterableDataset):
    def __init__(self, manifest, transform):
        self.manifest = manifest
        self.transform = transform

    def __iter__(self):
        for line in open(self.manifest):  # check: iterable-dataset-duplicated
            row = json.loads(line)
            yield self.transform(load(row["path"]))


def load(path):
    from PIL import Image

    return Image.open(path).convert("RGB")


class EMA:
    def __init__(self, model, decay=0.999):
        self.decay = decay
        self.shadow = copy.deepcopy(model)
        self.shadow.eval()
        for p in self.shadow.parameters():
            p.requires_grad = False

    def update(self, model):
        for mine, theirs in zip(self.shadow.parameters(), model.parameters()):
            mine.data = self.decay * mine.data + (1 - self.decay) * theirs.data


class Consistency(nn.Module):
    def __init__(self, threshold=0.95):
        super(Consistency, self).__init__()
        self.threshold = threshold
        self.nll = nn.NLLLoss(reduce=False)  # check: loss-arguments-removed

    def forward(self, weak, strong):
        probabilities = weak.softmax(1)
        confidence, label = probabilities.max(1)
        mask = (confidence > self.threshold).float()
        return (self.nll(strong.softmax(1).log(), label) * mask).mean()  # check: unstable-log


class Loop:
    def __init__(self, model, ema, optimizer, labelled, unlabelled, device):
        self.model, self.ema, self.optimizer = model, ema, optimizer
        self.labelled, self.unlabelled = labelled, unlabelled
        self.device = device
        self.supervised = nn.CrossEntropyLoss(size_average=True)  # check: loss-arguments-removed
        self.consistency = Consistency()
        self.running = 0.0

    def one(self, step, batch, free):
        (x, y), (weak, strong) = batch, free
        x, y = x.to(self.device), y.to(self.device)
        supervised = self.supervised(self.model(x), y)
        guess = self.ema.shadow(weak.to(self.device))
        loss = supervised + self.consistency(guess, self.model(strong.to(self.device)))
        self.optimizer.zero_grad()
        loss.backward()
        if step % 4 == 3:
            self.optimizer.step()  # check: gradients-cleared-early or accumulation-unscaled (zero_grad in each of the four)
        self.ema.update(self.model)
        self.running += loss  # check: loss-keeps-graph
        return loss

    def run(self, steps):
        pairs = zip(itertools.cycle(self.labelled), self.unlabelled)
        for step, (batch, free) in enumerate(pairs):
            self.one(step, batch, free)
            if step >= steps:
                break


def test(model, loader, device):
    right = 0
    with torch.no_grad:  # check: context-not-entered
        for x, y in loader:
            right += (model(x.to(device)).argmax(1) == y.to(device)).sum()  # check: eval-mode-missing
    return right / len(loader.dataset)


def main(labelled_set, test_set):
    device = "cuda"
    prepare = transforms.Compose([transforms.ToTensor(), transforms.Resize(256), transforms.CenterCrop(224)])
    weak = transforms.Compose([prepare, transforms.RandomHorizontalFlip()])
    strong = transforms.Compose([weak, transforms.RandomErasing()])
    two = lambda image: (weak(image), strong(image))  # noqa: E731
    model = resnet50(pretrained=False, num_classes=10)  # check: pretrained-flag
    ema = EMA(model)
    model.to(device)
    ema.shadow.to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.03, momentum=0.9, nesterov=True)
    loop = Loop(
        model,
        ema,
        optimizer,
        DataLoader(labelled_set, 64, shuffle=True, num_workers=4),
        DataLoader(Unlabelled("manifest.jsonl", two), 448, num_workers=4),
        device,
    )
    loop.run(2**20)
    print(test(ema.shadow, DataLoader(test_set, 256), device))
    torch.save({"ema": ema.shadow, "step": 2**20}, "ema.pt")  # check: whole-model-pickled
