# a dimension by name
import torch

x = torch.ones(2)
torch._dynamo.mark_dynamic(x, "0")  # run: dimensions
