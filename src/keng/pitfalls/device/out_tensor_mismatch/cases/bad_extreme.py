# an extreme
import torch

a, largest = torch.ones(2, 2), torch.zeros(2, dtype=torch.float64)
torch.amax(a, 0, out=largest)  # run: `Double`
