with torch.no_grad():
    ids = torch.tensor([[5, 6, 7, 0, 0]])
    padded = model(ids, ids > 0)
    alone = model(ids[:, :3], ids[:, :3] > 0)
assert not torch.allclose(padded, alone)
