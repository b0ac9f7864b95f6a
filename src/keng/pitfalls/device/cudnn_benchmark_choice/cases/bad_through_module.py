# through its module
import torch
import torch.backends.cudnn as cudnn


def prepare(seed):
    torch.manual_seed(seed)
    torch.use_deterministic_algorithms(True)
    cudnn.benchmark = True  # check: `deterministic`


prepare(0)

# proof
assert torch.are_deterministic_algorithms_enabled() and cudnn.benchmark
