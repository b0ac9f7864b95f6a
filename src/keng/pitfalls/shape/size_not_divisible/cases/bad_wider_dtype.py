# a wider dtype
import torch

bytes_read = torch.ones(1, 6, dtype=torch.uint8)
values = bytes_read.view(torch.float32)  # run: `6 is not a multiple of 4`
