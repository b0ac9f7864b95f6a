# no step
import torch

signal, window = torch.ones(1000), torch.hann_window(400)
spectrum = torch.stft(signal, 400, 0, window=window, return_complex=True)  # run: `hop_length`
