# longer than the input
import torch
import torch.nn.functional as F

log_probs = torch.zeros(5, 1, 3).log_softmax(2)
lengths = torch.tensor([9]), torch.tensor([2])
loss = F.ctc_loss(log_probs, torch.ones(1, 2).long(), *lengths)  # run: `9 exceeds the 5 steps`
