# heads under two names, windows, groups, merged and split sizes, rows shifted for relative positions, one sample
import torch


def windows(x, size):
    batch, height, width, channels = x.shape
    x = x.view(batch, height // size, size, width // size, size, channels)
    return x.permute(0, 1, 3, 2, 4, 5).contiguous().view(-1, size, size, channels)


def together(pieces, size, height, width):
    batch = int(pieces.shape[0] / (height * width / size / size))
    x = pieces.view(batch, height // size, width // size, size, size, -1)
    return x.permute(0, 1, 3, 2, 4, 5).contiguous().view(batch, height, width, -1)


def shuffled(x, groups):
    batch, channels, height, width = x.size()
    x = x.view(batch, groups, channels // groups, height, width).transpose(1, 2)
    return x.reshape(batch, -1, height, width)


def tokens(x):
    batch, channels, height, width = x.shape
    flat = x.permute(0, 2, 3, 1).reshape(batch, height * width, channels)
    return flat, x.view(batch * channels, height * width), x.view(channels, -1)


def shifted(x):
    batch, heads, queries, keys = x.shape
    x = torch.cat((torch.zeros(batch, heads, queries, 1), x), dim=-1)
    return x.view(batch, heads, keys + 1, queries)[:, :, 1:].reshape(batch, heads, queries, keys)


def frames(x, count):
    total, channels, height, width = x.size()
    batch = total // count
    return x.view(batch, count, channels, height, width).mean(1).view(batch, channels, -1)


def turned(x, heads, width):
    batch, length, _, _ = x.shape
    return x.transpose(1, 2).reshape(batch, heads, length, width)


x = torch.randn(1, 4, 4, 4)
assert torch.equal(turned(x, 4, 4), x.transpose(1, 2))
assert torch.equal(together(windows(x, 2), 2, 4, 4), x)
outputs = shuffled(x, 2), tokens(x), shifted(x), frames(torch.randn(4, 2, 3, 3), 2)
