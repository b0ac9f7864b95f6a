# between processes
import torch

torch.multiprocessing.set_sharing_strategy("shared_memory")  # run: `shared_memory`
