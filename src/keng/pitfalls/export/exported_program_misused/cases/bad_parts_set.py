# its parts are set
import torch
from torch.export import export

program = export(torch.nn.Linear(3, 2), (torch.ones(4, 3),))
program.state_dict = {}  # run: `state_dict`
