# a folder
import tempfile

import torch

model = torch.jit.load(tempfile.mkdtemp())  # run: folder
