# its memory
import torch

edges = torch.eye(3).to_sparse()
memory = edges.untyped_storage()  # run: `storage`
