# written to out
import torch

w, kept = torch.ones(3, requires_grad=True), torch.empty(3)
torch.add(w, 1, out=kept)  # run: `out=`
