# a run that resumes with the same wrapper; a file name that contains the word
import io

import torch
from torch import nn

model = nn.DataParallel(nn.Linear(4, 2))
file = io.BytesIO()
torch.save(model.state_dict(), file)
file.seek(0)
model.load_state_dict(torch.load(file, map_location="cpu"))
name = "./train.py".lstrip("./")
value = "0.5".lstrip("0.")
