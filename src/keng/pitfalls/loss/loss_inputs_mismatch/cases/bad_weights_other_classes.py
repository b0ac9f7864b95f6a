# weights for other classes
import torch
from torch import nn

scores, labels = torch.ones(3, 4), torch.tensor([0, 1, 2])
loss = nn.MultiMarginLoss(weight=torch.ones(3))(scores, labels)  # run: `4 classes`
