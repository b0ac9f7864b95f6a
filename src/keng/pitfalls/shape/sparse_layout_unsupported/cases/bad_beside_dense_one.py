# beside a dense one
import torch

edges = torch.eye(3).to_sparse()
both = torch.cat([edges, torch.eye(3)])  # run: `number 1`
