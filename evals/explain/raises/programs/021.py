# argument: state
import torch

cell = torch.nn.LSTM(4, 8, batch_first=True)
sequence = torch.randn(5, 4)
state = (torch.zeros(1, 1, 8), torch.zeros(1, 1, 8))
out, state = cell(sequence, state)
