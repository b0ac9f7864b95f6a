# not two columns
import torch

z = torch.view_as_complex(torch.ones(4))  # run: `last dimension`
