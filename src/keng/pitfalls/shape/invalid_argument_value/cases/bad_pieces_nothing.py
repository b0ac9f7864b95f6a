# pieces of nothing
import torch

pieces = torch.ones(5).split(0)  # run: `split_size`
