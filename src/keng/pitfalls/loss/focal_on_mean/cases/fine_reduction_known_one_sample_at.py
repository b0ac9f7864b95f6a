# an unknown reduction; one sample at a time; another loss; a weight that is not multiplied with its own loss
import torch
from torch import nn
from torch.nn import functional as F


class FocalLoss(nn.Module):
    def __init__(self, reduction="none", **options):
        super().__init__()
        self.reduction, self.criterion = reduction, nn.CrossEntropyLoss(**options)

    def forward(self, logits, target):
        ce = F.cross_entropy(logits, target, reduction=self.reduction)
        other = self.criterion(logits, target)
        mine = (1 - torch.exp(-other)) ** 2 * other
        return ((1 - torch.exp(-ce)) ** 2 * ce).mean() + mine.mean()


logits, target = torch.randn(4, 3), torch.randint(3, (4,))
FocalLoss("none", label_smoothing=0.1)(logits, target)
total = 0.0
for scores, label in zip(logits, target):
    ce = F.cross_entropy(scores, label)
    total += (1 - torch.exp(-ce)) ** 2 * ce
for n in range(4):
    ce = F.cross_entropy(logits[n : n + 1], target[n : n + 1])
    total += (1 - torch.exp(-ce)) ** 2 * ce
error = F.mse_loss(logits, torch.zeros(4, 3))
kernel = (1 - torch.exp(-error)) ** 2 * error
ce = F.cross_entropy(logits, target)
each = F.cross_entropy(logits, target, reduction="none")
weight = (1 - torch.exp(-ce)) ** 2
loss = (1 - torch.exp(-ce)) ** 2 * each.mean()
