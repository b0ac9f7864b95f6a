# of loading
from torch import nn

layer = nn.Linear(2, 2)
layer.register_load_state_dict_post_hook(lambda module, keys: keys.missing_keys)
layer.load_state_dict(layer.state_dict())  # run: `in place`
