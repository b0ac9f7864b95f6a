# indices of tokens
import torch

scores = torch.randn(2, 5, 9).log_softmax(-1)
tokens = torch.zeros(2, 5, dtype=torch.long)
chosen = scores.gather(2, tokens)  # run: `tokens.unsqueeze(2)`
