# a state that never stepped
import torch
from torch import nn
from torch.distributed.checkpoint.state_dict import (
    get_optimizer_state_dict,
    set_optimizer_state_dict,
)

small, large = nn.Linear(2, 2), nn.Sequential(nn.Linear(2, 2))
adam = torch.optim.Adam(small.parameters())
state = get_optimizer_state_dict(small, adam)
adam = torch.optim.Adam(large.parameters())
set_optimizer_state_dict(large, adam, state)  # run: `0.weight`
