# renamed; arguments moved
import warnings

import torch

with warnings.catch_warnings(record=True) as said:
    warnings.simplefilter("always")
    product = torch.chain_matmul(torch.eye(2), torch.eye(2))  # check: one list now
    factor = torch.cholesky(torch.eye(2))  # check: `torch.linalg.cholesky`
    with torch.cpu.amp.autocast(True):  # check: `torch.amp.autocast`
        y = torch.eye(2) @ torch.eye(2)

# proof
assert len(said) >= 3
