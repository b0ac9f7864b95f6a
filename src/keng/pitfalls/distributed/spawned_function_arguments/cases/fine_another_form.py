# a function whose first parameter is the rank
import torch.multiprocessing as mp


def main(rank, *given, verbose=False):
    print(rank, given)


def train(rank, config, seed=0):
    print(rank, config)


def start(settings, function):
    mp.spawn(main, args=("config.toml", 3), nprocs=2)
    mp.spawn(train, args=("config.toml",), nprocs=2)
    mp.spawn(train, args=settings, nprocs=2)
    mp.spawn(function, args=("config.toml",), nprocs=2)
