# A scripted model is saved or copied by pickle
import io

import torch
from torch import nn

layer = torch.jit.script(nn.Linear(2, 2))
torch.save(layer, io.BytesIO())  # run: `save()` of its own
