# a byte
import torch

x = torch.tensor(300, dtype=torch.uint8)  # run: `uint8`
