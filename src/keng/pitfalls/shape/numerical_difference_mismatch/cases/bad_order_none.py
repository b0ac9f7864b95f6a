# an order that is none
import torch

slope = torch.gradient(torch.ones(4), edge_order=3)  # run: `1 or 2`
