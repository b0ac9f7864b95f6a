# a slice of another size
import torch

rows = torch.zeros(4, 5)
rows[0] = torch.ones(3)  # run: 3 do not fill 5
