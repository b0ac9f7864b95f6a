# its memory
import torch

numbers = torch.ones(2, device="meta").untyped_storage().tolist()  # run: `meta`
