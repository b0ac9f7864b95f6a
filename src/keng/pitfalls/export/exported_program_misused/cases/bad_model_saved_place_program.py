# a model is saved in place of its program
import io

import torch

torch.export.save(torch.nn.Linear(3, 2), io.BytesIO())  # run: `Linear`
