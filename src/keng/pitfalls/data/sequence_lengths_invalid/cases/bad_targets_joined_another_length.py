# targets joined to another length
import torch
import torch.nn.functional as F

scores = torch.zeros(5, 2, 4).log_softmax(2)
targets, lengths = torch.ones(5, dtype=torch.long), torch.tensor([3, 3])
loss = F.ctc_loss(scores, targets, torch.tensor([5, 5]), lengths)  # run: `6 are needed`
