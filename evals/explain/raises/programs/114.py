# argument: logits
import torch
from kornia.losses import lovasz_softmax_loss

logits = torch.rand(2, 1, 8, 8)
labels = torch.zeros(2, 8, 8, dtype=torch.int64)
loss = lovasz_softmax_loss(logits, labels)
