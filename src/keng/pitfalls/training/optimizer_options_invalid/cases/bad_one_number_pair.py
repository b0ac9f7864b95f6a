# one number for a pair
from torch import nn
from torch.optim import AdamW

optimizer = AdamW(nn.Linear(2, 2).parameters(), betas=0.9)  # run: `betas=(0.9, 0.999)`
