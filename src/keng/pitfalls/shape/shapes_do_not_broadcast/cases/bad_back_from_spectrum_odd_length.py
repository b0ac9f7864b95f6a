# back from the spectrum of an odd length
import torch

signal = torch.randn(4, 125)
spectrum = torch.fft.rfft(signal)
smooth = torch.fft.irfft(spectrum)
loss = (smooth - signal).square().mean()  # run: `n=signal.shape[-1]`
