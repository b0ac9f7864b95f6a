from torch import nn


def generator(noise, size):
    return nn.Sequential(nn.Linear(noise, 64), nn.LeakyReLU(0.2), nn.Linear(64, size), nn.Tanh())


def critic(size):
    return nn.Sequential(nn.Linear(size, 64), nn.LeakyReLU(0.2), nn.Linear(64, 1))
