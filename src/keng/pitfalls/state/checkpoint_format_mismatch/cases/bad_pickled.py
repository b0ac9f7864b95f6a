# pickled
import io
import pickle

import torch

file = io.BytesIO(pickle.dumps({"weight": torch.ones(2)}))
state = torch.load(file, weights_only=False)  # run: `pickle.load`
