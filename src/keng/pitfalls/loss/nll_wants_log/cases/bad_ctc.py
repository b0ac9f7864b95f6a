# CTC of scores, and of probabilities
import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(0)
layer, criterion = nn.Linear(8, 5), nn.CTCLoss()
frames, texts = torch.randn(12, 2, 8), torch.randint(1, 5, (2, 3))
lengths, sizes = torch.tensor([12, 12]), torch.tensor([3, 3])
scores = layer(frames)
loss = criterion(scores, texts, lengths, sizes)  # check: scores of a `Linear`
chances = F.softmax(layer(frames), dim=-1)
other = F.ctc_loss(chances, texts, lengths, sizes)  # check: holds probabilities

# proof
right = F.ctc_loss(scores.log_softmax(-1), texts, lengths, sizes)
assert loss < right - 1 and other < 0 < right
