# a capsule twice
import torch

capsule = torch.utils.dlpack.to_dlpack(torch.ones(3))
x = torch.from_dlpack(capsule)
y = torch.from_dlpack(capsule)  # run: `once`
