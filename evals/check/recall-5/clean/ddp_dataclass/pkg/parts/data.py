from torch.utils.data import DataLoader, DistributedSampler, Subset
from torchvision import datasets, transforms


def sets(root, world):
    augment = transforms.Compose([transforms.RandomCrop(32, 4), transforms.ToTensor()])
    with world.first():
        train = datasets.CIFAR10(root, transform=augment, download=True)
    val = datasets.CIFAR10(root, train=False, transform=transforms.ToTensor())
    return train, val


def loaders(root, world, batch):
    train, val = sets(root, world)
    sampler = DistributedSampler(train, world.size, world.rank, drop_last=True)
    share = Subset(val, range(world.rank, len(val), world.size))
    return (
        DataLoader(train, batch, sampler=sampler, num_workers=2, pin_memory=True, drop_last=True),
        DataLoader(share, batch, num_workers=2, pin_memory=True),
    )
