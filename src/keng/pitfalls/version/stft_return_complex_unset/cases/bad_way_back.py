# the way back
import torch

window = torch.hann_window(64)
spectrum = torch.view_as_real(torch.stft(torch.randn(400), 64, window=window, return_complex=True))
wave = torch.istft(spectrum, 64, window=window)  # run: `view_as_complex`
