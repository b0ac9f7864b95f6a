# steps longer than the window
import torch

spectrum = torch.ones(9, 5, dtype=torch.cfloat)
signal = torch.istft(spectrum, 16, hop_length=20, window=torch.ones(16))  # run: `win_length`
