# pad with more pairs than dimensions
import torch
import torch.nn.functional as F

F.pad(torch.ones(5), (1, 1, 2, 2))  # run: `one pair for each dimension`
