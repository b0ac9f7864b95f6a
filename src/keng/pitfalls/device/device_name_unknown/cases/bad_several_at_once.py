# several at once
import torch

x = torch.ones(2).to("cuda:0,1")  # run: `cuda:0,1`
