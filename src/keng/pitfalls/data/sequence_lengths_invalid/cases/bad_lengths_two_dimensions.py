# lengths of two dimensions
import torch
from torch.nn.utils.rnn import pack_padded_sequence

lengths = torch.tensor([[5], [3]])
packed = pack_padded_sequence(torch.ones(5, 2, 3), lengths)  # run: `lengths.flatten()`
