def error(known, unknown):
    (x, y), (z, wanted) = ([torch.stack(part) for part in zip(*data)] for data in (known, unknown))
    return (y[torch.cdist(z, x).argmin(1)] - wanted).abs().mean()


assert error(train_set, val_set) < 0.7 * error(train_set, Windows(later, 16))
