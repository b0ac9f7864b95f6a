# lengths that are no whole numbers; `lengths.long()`
import torch
from torch.nn.functional import ctc_loss

scores, targets = torch.zeros(5, 2, 4), torch.ones(2, 3, dtype=torch.long)
steps, lengths = torch.tensor([5.0, 4.0]), torch.tensor([3, 2])
loss = ctc_loss(scores, targets, steps, lengths)  # run: `lengths.long()`
