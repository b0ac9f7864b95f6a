# no limit
from torch import nn

total = nn.utils.clip_grad_norm_(nn.Linear(2, 2).parameters())  # run: 'max_norm'
