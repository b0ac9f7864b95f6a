# drawn beyond the dtype
import torch

pixels = torch.randint(0, 300, (3,), dtype=torch.uint8)  # run: `unsigned char`
