# of a state dict
from torch import nn

layer = nn.Linear(2, 2)
layer.register_state_dict_post_hook(lambda module, state, prefix, meta: dict(state))
state = layer.state_dict()  # run: `in place`
