# nothing is left to add; `0 and 65`
import torch

sound = torch.ones(1, 65)
mixed = sound + torch.ones(1, 50)[:, 60:125]
