# stretched
import torch

edges = torch.eye(3).to_sparse()
batch = edges.expand(2, 3, 3)  # run: `expand`
