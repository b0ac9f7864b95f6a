# another pickle module
import io
import pickle

import torch

file = io.BytesIO()
torch.save({"weight": torch.ones(2)}, file)
file.seek(0)
state = torch.load(file, weights_only=True, pickle_module=pickle)  # run: `pickle_module`
