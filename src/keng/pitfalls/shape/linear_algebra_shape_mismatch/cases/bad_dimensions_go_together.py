# dimensions that go together
import torch

a, b = torch.ones(2, 3), torch.ones(3, 2)
product = torch.tensordot(a, b, dims=([0], [0, 1]))  # run: `the same length`
