# argument: mmap=True
import tempfile

import torch

with tempfile.NamedTemporaryFile(suffix=".pt") as file:
    torch.save({"w": torch.ones(2)}, file.name, _use_new_zipfile_serialization=False)
    state = torch.load(file.name, mmap=True)
