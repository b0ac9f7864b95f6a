# an empty sequence
import torch
from torch.nn.utils.rnn import pack_padded_sequence

padded, lengths = torch.ones(3, 2, 1), torch.tensor([3, 0])
packed = pack_padded_sequence(padded, lengths)  # run: `a sequence of length 0`
