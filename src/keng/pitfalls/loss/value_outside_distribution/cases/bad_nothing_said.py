# nothing said
import torch

policy = torch.distributions.Categorical()  # run: `probs and logits`
