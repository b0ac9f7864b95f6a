assert torch.equal(out[:, 0], out[:, 9]) and not torch.equal(out[0], out[1])
