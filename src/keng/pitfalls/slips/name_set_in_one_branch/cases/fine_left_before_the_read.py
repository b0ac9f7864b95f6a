# a loop goes on to its next round where the name has no value
import torch


def gates(batches, means=None):
    whitened = means is not None
    if whitened:
        mean = means.mean()
    found = []
    for x in batches:
        if not whitened:
            found.append(x)
            continue
        found.append(x - mean)
    return found


gates(torch.rand(3, 2))
gates(torch.rand(3, 2), torch.rand(2))
