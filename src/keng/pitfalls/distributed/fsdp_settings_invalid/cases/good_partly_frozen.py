# FSDP is given parameters that it cannot lay into one
# needs: cuda
import torch

model = torch.nn.Linear(4, 2).to(torch.bfloat16)
print(next(model.parameters()).dtype)
