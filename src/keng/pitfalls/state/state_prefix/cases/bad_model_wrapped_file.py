# the model is wrapped, the file is not
from torch import nn

state = nn.Linear(4, 2).state_dict()
model = nn.DataParallel(nn.Linear(4, 2))
model.load_state_dict(state)  # run: `module.` is missing
