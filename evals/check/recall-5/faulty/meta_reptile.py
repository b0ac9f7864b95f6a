import argparse
import copy
import random

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn, optim


class Conv(nn.Module):
    def __init__(self, ways):
        super().__init__()
        blocks = []
        for i in range(4):
            blocks += [nn.Conv2d(3 if i == 0 else 64, 64, 3, padding=1), nn.BatchNorm2d(64), nn.ReLU(), nn.MaxPool2d(2)]  # check: bias-before-batchnorm
        self.features = nn.Sequential(*blocks)
        self.head = nn.Linear(64 * 25, ways)

    def forward(self, x):
        return F.softmax(self.head(self.features(x).flatten(1)), dim=1)


class Prototypes:
    def __init__(self, model, device):
        self.model = model
        self.device = device
        self.queue = []

    def distances(self, support, labels, query):
        features = self.model.features(support).flatten(1)
        centres = torch.stack([features[labels == c].mean(0) for c in labels.unique()])
        self.queue.append(centres)  # check: loss-keeps-graph
        return torch.cdist(self.model.features(query).flatten(1), centres)


def tasks(rng, arrays, ways, shots):
    while True:
        chosen = rng.sample(range(len(arrays)), ways)
        x = np.concatenate([arrays[c][rng.sample(range(len(arrays[c])), 2 * shots)] for c in chosen])
        y = np.repeat(np.arange(ways), 2 * shots)
        yield torch.from_numpy(x).float(), torch.from_numpy(y)


def adapt(model, x, y, steps, lr):
    learner = copy.deepcopy(model)
    inner = optim.SGD(model.parameters(), lr=lr)  # check: parameters-not-optimized (the copy is meant; it steps the one that was copied)
    for _ in range(steps):
        loss = F.cross_entropy(learner(x), y)  # check: softmax-before-cross-entropy
        inner.zero_grad()
        loss.backward()
        inner.step()
    return learner


def maml_outer(model, batch, lr):
    total = 0.0
    for (xs, ys), (xq, yq) in batch:
        names, weights = zip(*model.named_parameters())
        loss = F.cross_entropy(torch.func.functional_call(model, dict(zip(names, weights)), (xs,)), ys)  # check: softmax-before-cross-entropy
        grads = torch.autograd.grad(loss, weights)  # check: penalty-without-graph (second order is asked for by the outer step)
        fast = {n: w - lr * g for n, w, g in zip(names, weights, grads)}
        total += F.cross_entropy(torch.func.functional_call(model, fast, (xq,)), yq)  # check: softmax-before-cross-entropy
    return total / len(batch)


def evaluate(model, stream, args, device):
    scores = []
    for _ in range(args.eval_tasks):
        x, y = (t.to(device) for t in next(stream))
        learner = adapt(model, x[::2], y[::2], args.inner_steps, args.inner_lr)
        learner.eval()
        out = learner(x[1::2])  # check: validation-records-gradients
        scores.append((out.argmax(1) == y[1::2]).float().mean())
    return torch.tensor(scores).mean()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--ways", type=int, default=5)
    parser.add_argument("--shots", type=int, default=5)
    parser.add_argument("--inner-steps", type=int, default=5)
    parser.add_argument("--inner-lr", type=float, default=0.01)
    parser.add_argument("--meta-lr", type=float, default=0.001)
    parser.add_argument("--eval-tasks", type=int, default=100)
    parser.add_argument("--iterations", type=int, default=60000)
    parser.add_argument("--gpu", default="0")
    args = parser.parse_args()
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    import os

    os.environ["CUDA_VISIBLE_DEVICES"] = args.gpu  # check: cuda-visible-devices-set-late
    random.seed(0)
    torch.manual_seed(0)  # check: seed-incomplete (NumPy is left out, though deterministic is asked for below)
    torch.backends.cudnn.deterministic = True
    arrays = [np.load(f"classes/{i}.npy") for i in range(64)]
    rng = random.Random(0)
    stream = tasks(rng, arrays, args.ways, args.shots)
    model = Conv(args.ways).to(device)
    outer = optim.Adam(model.parameters(), lr=args.meta_lr)
    for iteration in range(args.iterations):
        batch = []
        for _ in range(4):
            x, y = next(stream)
            x, y = x.to(device), y.to(device)
            batch.append(((x[::2], y[::2]), (x[1::2], y[1::2])))
        loss = maml_outer(model, batch, args.inner_lr)
        loss.backward()  # check: zero-grad-missing
        outer.step()
        if iteration % 500 == 0:
            print(iteration, loss.item(), evaluate(model, stream, args, device).item())
            torch.save(model.state_dict(), f"{iteration}.pt")


if __name__ == "__main__":
    main()
