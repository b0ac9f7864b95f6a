# a NumPy number; `weights_only=False`
import io

import torch

file = io.BytesIO()
scores = torch.ones(3).numpy()
torch.save({"best": scores.mean()}, file)
file.seek(0)
state = torch.load(file)  # run: NumPy's numbers are a class of their own
