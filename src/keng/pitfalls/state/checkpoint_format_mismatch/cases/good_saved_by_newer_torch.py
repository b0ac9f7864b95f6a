# A file was written by a newer PyTorch, or in a form for another loader
# needs: an older PyTorch
import io

import torch

file = io.BytesIO()
torch.save({"weight": torch.ones(2)}, file, _use_new_zipfile_serialization=False)
