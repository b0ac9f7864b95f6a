# a product
import torch

edges = torch.eye(3).to_sparse()
features = edges @ torch.ones(2, 2)  # run: `3 columns`
