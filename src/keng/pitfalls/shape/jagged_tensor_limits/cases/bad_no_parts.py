# no parts
import torch

words = torch.nested.nested_tensor([], layout=torch.jagged)  # run: `no parts`
