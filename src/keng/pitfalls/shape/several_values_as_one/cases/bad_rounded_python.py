# rounded by Python
import torch

loss = torch.tensor(0.4567)
shown = round(loss, 2)  # run: `round(x.item(), 2)`
