# a program for the CPU only
import io

import torch
from torch import nn

file = io.BytesIO()
torch.save({"model": nn.Linear(4, 2).state_dict()}, file)
file.seek(0)
checkpoint = torch.load(file)
nn.Linear(4, 2).load_state_dict(checkpoint["model"])
