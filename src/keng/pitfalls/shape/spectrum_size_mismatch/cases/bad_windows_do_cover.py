# windows that do not cover it
import torch

spectrum, window = torch.ones(9, 5, dtype=torch.cfloat), torch.hann_window(16)
signal = torch.istft(spectrum, 16, window=window, center=False)  # run: `center=True`
