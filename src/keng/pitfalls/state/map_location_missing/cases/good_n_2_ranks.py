# 2 ranks
import io
import os

import torch
import torch.distributed as dist
from torch import nn

torch.serialization.register_package(0, lambda storage: "cuda:0", lambda storage, device: storage)
dist.init_process_group("gloo")
local_rank = int(os.environ["LOCAL_RANK"])
device = torch.device("cuda", local_rank) if torch.cuda.is_available() else torch.device("cpu")
model = nn.Linear(4, 2).to(device)
file = io.BytesIO()
torch.save(nn.Linear(4, 2).state_dict(), file)
file.seek(0)
model.load_state_dict(torch.load(file, map_location=device))
