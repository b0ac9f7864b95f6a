# a number for a switch
import torch

step = torch.compile(torch.sin, options={"triton.cudagraphs": 3})  # run: `triton.cudagraphs`
