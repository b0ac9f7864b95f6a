# A file of `torch.save` is read by `pickle`
import io

import torch

file = io.BytesIO()
torch.save({"weight": torch.ones(2)}, file)
file.seek(0)
weights = torch.load(file)
