# a slip
import torch

card = torch.cuda.is_avaliable()  # run: `torch.cuda.is_available`
