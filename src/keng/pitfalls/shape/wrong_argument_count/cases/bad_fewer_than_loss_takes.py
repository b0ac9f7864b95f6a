# fewer than a loss takes
import torch
from torch import nn

criterion = nn.CosineEmbeddingLoss()
loss = criterion(torch.ones(2, 3), torch.ones(2, 3))  # run: `target`
