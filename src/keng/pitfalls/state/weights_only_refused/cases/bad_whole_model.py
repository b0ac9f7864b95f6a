# a whole model
import io

import torch
from torch import nn

file = io.BytesIO()
state = {"net": nn.Sequential(nn.Linear(4, 2))}
torch.save(state, file)
file.seek(0)
state = torch.load(file, map_location="cpu")  # run: a model is not plain data
