# cut off, in the format from before 1.6
import io

import torch

file = io.BytesIO()
torch.save(torch.ones(100), file, _use_new_zipfile_serialization=False)
cut = io.BytesIO(file.getvalue()[:-40])
state = torch.load(cut)  # run: 40 bytes are missing
