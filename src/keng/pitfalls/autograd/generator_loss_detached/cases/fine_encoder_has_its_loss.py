# the encoder learns from a loss of its own; a probe reads its features without their graph
import torch
from torch import nn

torch.manual_seed(0)
encoder, decoder, probe = nn.Linear(4, 8), nn.Linear(8, 4), nn.Linear(8, 1)
encoder_optimizer = torch.optim.Adam([*encoder.parameters(), *decoder.parameters()])
probe_optimizer = torch.optim.Adam(probe.parameters())
for _ in range(3):
    x = torch.randn(16, 4)
    features = encoder(x)
    encoder_optimizer.zero_grad()
    (decoder(features) - x).square().mean().backward()
    encoder_optimizer.step()
    probe_optimizer.zero_grad()
    probe(features.detach()).square().mean().backward()
    probe_optimizer.step()
