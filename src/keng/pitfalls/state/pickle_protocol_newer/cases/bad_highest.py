# the highest
import io
import pickle

import torch

file = io.BytesIO()
torch.save({"weight": torch.ones(2)}, file, pickle_protocol=pickle.HIGHEST_PROTOCOL)
file.seek(0)
state = torch.load(file)  # run: `pickle_protocol`
