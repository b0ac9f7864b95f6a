# half precision
import torch

inverse = torch.linalg.inv(torch.eye(2).half())  # run: `float32`
