# a sound that is too short
import torch

sound, window = torch.ones(100), torch.hann_window(400)
spectrum = torch.stft(sound, 400, window=window, return_complex=True)  # run: `200`
