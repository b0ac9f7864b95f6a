# A file of `torch.save` is read by `pickle`
import io
import pickle
import zipfile

import torch

file = io.BytesIO()
torch.save({"weight": torch.ones(2)}, file)
inside = zipfile.ZipFile(file).read("archive/data.pkl")
weights = pickle.loads(inside)  # run: `torch.load`
