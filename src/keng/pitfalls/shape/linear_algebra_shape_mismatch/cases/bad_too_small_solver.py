# too small for its solver
import torch

values, vectors = torch.lobpcg(torch.eye(3), k=2)  # run: `3 rows`
