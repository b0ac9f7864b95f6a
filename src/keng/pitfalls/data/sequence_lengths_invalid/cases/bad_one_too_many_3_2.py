# one too many; `3 for 2`
import torch
from torch.nn.utils.rnn import pack_padded_sequence

packed = pack_padded_sequence(torch.ones(2, 3, 4), [3, 2, 1], batch_first=True)  # run: 2 sequences
