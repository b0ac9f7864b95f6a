# A setting of torch is given a word or number that it does not know
import torch

torch.set_float32_matmul_precision("high")
torch.set_deterministic_debug_mode("default")
torch._check(bool(torch.ones(2).sum() > 0))
