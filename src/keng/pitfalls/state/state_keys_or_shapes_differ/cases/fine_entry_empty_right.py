# an entry that is empty by design
import io

import torch
from torch import nn

model = nn.Linear(8, 2)
model.register_buffer("seen", torch.empty(0))
file = io.BytesIO()
torch.save(model.state_dict(), file)
file.seek(0)
model.load_state_dict(torch.load(file))
