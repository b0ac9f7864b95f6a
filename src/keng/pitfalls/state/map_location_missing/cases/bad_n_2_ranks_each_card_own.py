# 2 ranks, each with a card of its own
import os

import torch
import torch.distributed as dist
from torch import nn

# As on a machine with two cards, where this restores to the device named.
torch.serialization.register_package(0, lambda storage: "cuda:0", lambda storage, device: storage)
dist.init_process_group("gloo")
local_rank = int(os.environ["LOCAL_RANK"])
device = torch.device("cuda", local_rank) if torch.cuda.is_available() else torch.device("cpu")
model = nn.Linear(4, 2).to(device)
file = f"weights{dist.get_rank()}.pt"
torch.save(nn.Linear(4, 2).state_dict(), file)
model.load_state_dict(torch.load(file))  # check: both ranks read it to cuda:0
