# two parts of one size; a value of the first round of a loop
import torch
from torch import nn

net = nn.Linear(3, 2)


def train(x, share):
    first = int(share * len(x))
    second = first
    noisy = net(x[:first])
    crossed = net(x[first : first + second])
    loss = noisy.mean() + crossed.mean()
    loss.backward()
    return loss


def prune(tests, bound):
    for pruned in range(3):
        accuracy = tests(pruned)
        if pruned == 0:
            before = accuracy
        if abs(accuracy - before) / before < bound:
            kept = pruned
    return kept


train(torch.rand(8, 3), 0.25)
prune(lambda n: 0.9 - 0.1 * n, 0.15)
