# asked whether it is that one
import torch

loss = torch.tensor(float("nan")).mean()
found = loss is float("nan")  # check: never true
print(found)

# proof
assert not found
