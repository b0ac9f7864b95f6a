# a copy; a dict that is returned; tensors that are copied first; numbers
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 4)

    def forward(self, x_dict, residuals, sizes):
        own = dict(x_dict)
        for kind, x in own.items():
            own[kind] = self.fc(x)
        kept = []
        for residual in residuals:
            residual = residual.clone()
            residual += x_dict["a"]
            kept.append(residual)
        counts = []
        for size in sizes:
            size += 1
            counts.append(size)
        return own["a"] + sum(kept) + sum(counts)


class Adds(nn.Module):
    def forward(self, batch):
        for name, x in batch.items():
            batch[name] = x * 2
        return batch


out = Net()({"a": torch.ones(2, 4)}, [torch.ones(2, 4)], [1, 2])
doubled = Adds()({"x": torch.ones(2)})
