# classes that come last
import torch
import torch.nn.functional as F

scores, tokens = torch.randn(2, 5, 7), torch.zeros(2, 5).long()
loss = F.cross_entropy(scores, tokens)  # run: the second dimension is time
