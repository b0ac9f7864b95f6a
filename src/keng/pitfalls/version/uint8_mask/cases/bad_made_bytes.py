# made of bytes
import torch

x = torch.arange(4.0)
done = torch.tensor([0, 1, 1, 0], dtype=torch.uint8)
x[~done] = 0.0  # check: every number of the inverse is one

# proof
assert x.tolist() == [0, 0, 0, 0]
