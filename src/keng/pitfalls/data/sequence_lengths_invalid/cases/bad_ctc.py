# of CTC
import torch
import torch.nn.functional as F

scores, targets = torch.zeros(5, 2, 3), torch.ones(2, 3, dtype=torch.long)
inputs, lengths = torch.tensor([5, 5, 5]), torch.tensor([3, 3])
loss = F.ctc_loss(scores, targets, inputs, lengths)  # run: 2 sequences
