# a test, a key, a loss, loops, a keyword and two arguments that kept the name of the sibling
from types import SimpleNamespace

import torch
from torch import nn
from torch.nn import functional as F


class Loader(list):
    def finish(self):
        self.clear()


class Trainer:
    def __init__(self):
        self.loader_train, self.loader_val = Loader([1]), Loader([2])

    def end(self):
        if self.loader_train is not None and isinstance(self.loader_train, Loader):
            self.loader_train.finish()
        if self.loader_val is not None and isinstance(self.loader_train, Loader):  # check: still has `loader_train` here
            self.loader_val.finish()


def loaders(dataset):
    found = {}
    found["query"] = list(dataset.query)
    found["gallery"] = list(dataset.query)  # check: still has `query` here
    return found, len(dataset.gallery)


def losses(D_VAE, D_LR, real, fake):
    loss_D_VAE = D_VAE(real) + D_VAE(fake.detach())
    encoded = fake * 2
    loss_D_LR = D_VAE(real) + D_VAE(encoded.detach())  # check: `D_VAE` is used for both
    return loss_D_VAE.mean() + loss_D_LR.mean() + 0 * D_LR(real).mean()


def pairs(images1, images2):
    found = []
    names = [*images1, *images2]
    for image in images1:
        found.append((image, names.index(image)))
    for image in images1:  # check: `images1` is used for both
        found.append((image, names.index(image)))
    return found


def splits(dev_file=None, test_file=None):
    if test_file is not None:
        test = [dev_file]  # check: the test asks for `test_file`
    else:
        test = []
    if dev_file is not None:
        dev = [dev_file]
    else:
        dev = []
    return dev, test


def copied(label):
    print(label.score)
    return SimpleNamespace(value=label.value, score=label.value)  # check: `label.value` is given twice


def cost(pred, gold, pad_index, smoothing=False):
    loss = F.cross_entropy(pred, gold, ignore_index=int(pad_index), label_smoothing=0.1 * smoothing)
    return loss


def performance(pred, gold, pad_index, smoothing=False):
    return cost(pred, gold, smoothing, pad_index)  # check: the function takes


D_VAE, D_LR = nn.Linear(2, 1), nn.Linear(2, 1)
losses(D_VAE, D_LR, torch.ones(3, 2), torch.ones(3, 2)).backward()
trainer = Trainer()
trainer.end()
found, size = loaders(SimpleNamespace(query=[1], gallery=[2]))

# proof
assert found["gallery"] == [1] and not D_LR.weight.grad.any()
assert pairs(["a"], ["b"]) == [("a", 0), ("a", 0)] and splits("dev", "test") == (["dev"], ["dev"])
assert copied(SimpleNamespace(value="x", score=0.5)).score == "x"
assert performance(torch.zeros(2, 4), torch.tensor([1, 2]), 3) == cost(torch.zeros(2, 4), torch.tensor([1, 2]), 0, 3)
