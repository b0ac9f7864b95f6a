# probabilities
import torch
import torch.nn.functional as F

chances, labels = torch.full((4, 1), 0.5), torch.ones(4)
loss = F.binary_cross_entropy(chances, labels)  # run: `chances is (4, 1)`
