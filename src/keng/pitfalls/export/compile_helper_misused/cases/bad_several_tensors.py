# several tensors
import torch

batch = [torch.ones(2), torch.ones(2)]
torch._dynamo.mark_dynamic(batch, 0)  # run: one tensor
