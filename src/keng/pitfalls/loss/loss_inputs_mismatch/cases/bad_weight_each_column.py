# a weight for each column
import torch
import torch.nn.functional as F

made, wanted = torch.ones(3, 2), torch.zeros(3, 2)
loss = F.mse_loss(made, wanted, weight=torch.ones(2))  # run: `expand_as`
