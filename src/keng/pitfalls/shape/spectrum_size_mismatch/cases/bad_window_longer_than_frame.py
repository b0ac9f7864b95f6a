# a window longer than its frame
import torch

spectrum = torch.stft(torch.ones(1000), 400, win_length=500, return_complex=True)  # run: `500`
