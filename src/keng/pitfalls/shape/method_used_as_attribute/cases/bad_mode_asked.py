# a mode that is asked for
from torch import nn

model = nn.Linear(2, 2)
if model.training():  # run: `.training`
    model.eval()
