# a value that is missing
import torch

row = [1.5, None]
x = torch.FloatTensor(row)  # run: `a value is missing`
