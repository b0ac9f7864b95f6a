# A scripted model is saved or copied by pickle
import io

import torch
from torch import nn

exported = torch.export.export(nn.Linear(2, 2), (torch.ones(2),))
torch.export.save(exported, io.BytesIO())
