# drawn without replacement
import torch

drawn = torch.multinomial(torch.ones(3), 5)  # run: `replacement`
