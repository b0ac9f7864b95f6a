assert torch.equal(rolled, torch.roll(torch.arange(6).view(2, 3), 1, 0))
