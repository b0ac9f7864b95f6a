# a generator that is frozen while the discriminator steps, in three variants
import torch
from torch import nn


def switch(model, on):
    for p in model.parameters():
        p.requires_grad = on


generator, discriminator = nn.Linear(4, 2), nn.Linear(2, 1)
g_optimizer = torch.optim.SGD(generator.parameters(), lr=0.01)
d_optimizer = torch.optim.SGD(discriminator.parameters(), lr=0.01)


def step_of_generator():
    switch(generator, True)
    g_optimizer.zero_grad()
    (-discriminator(generator(torch.randn(8, 4))).mean()).backward()
    g_optimizer.step()


for _ in range(3):
    switch(generator, False)
    fake = generator(torch.randn(8, 4))
    d_optimizer.zero_grad()
    (discriminator(fake).mean() - discriminator(torch.randn(8, 2)).mean()).backward()
    d_optimizer.step()
    step_of_generator()
for _ in range(3):
    generator.requires_grad_(False)
    fake = generator(torch.randn(8, 4))
    d_optimizer.zero_grad()
    (discriminator(fake).mean() - discriminator(torch.randn(8, 2)).mean()).backward()
    d_optimizer.step()
    step_of_generator()
for _ in range(3):
    for p in generator.parameters():
        p.requires_grad = False
    fake = generator(torch.randn(8, 4))
    d_optimizer.zero_grad()
    (discriminator(fake).mean() - discriminator(torch.randn(8, 2)).mean()).backward()
    d_optimizer.step()
    step_of_generator()
