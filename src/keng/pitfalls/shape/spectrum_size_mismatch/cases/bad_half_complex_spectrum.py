# half of a complex spectrum
import torch

signal = torch.ones(1000, dtype=torch.cfloat)
spectrum = torch.stft(signal, 400, onesided=True, return_complex=True)  # run: `onesided=False`
