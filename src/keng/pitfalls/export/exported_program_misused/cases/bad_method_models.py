# a method of models
import torch
from torch.export import export

program = export(torch.nn.Linear(3, 2), (torch.ones(4, 3),))
program.to("cpu")  # run: `to`
