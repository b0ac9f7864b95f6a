# two irregular dimensions
import torch

parts = [torch.ones(2, 4), torch.ones(3, 5)]
words = torch.nested.nested_tensor(parts, layout=torch.jagged)  # run: `one dimension`
