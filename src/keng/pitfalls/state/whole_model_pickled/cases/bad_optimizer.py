# an optimizer
import io

import torch
from torch import nn

optimizer = torch.optim.Adam(nn.Linear(4, 2).parameters())
file = io.BytesIO()
torch.save(optimizer, file)
file.seek(0)
optimizer.load_state_dict(torch.load(file, weights_only=False))  # run: `Adam`
