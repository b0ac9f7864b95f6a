# sizes in a tuple, and one more
import torch

x = torch.ones(3, 4)
y = x.reshape((2, 3), 2)  # run: `one tuple`
