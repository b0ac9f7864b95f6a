# a bias for every head
from torch.nn.attention.bias import causal_lower_right

mask = causal_lower_right(2, 4, 4)  # run: `two lengths`
