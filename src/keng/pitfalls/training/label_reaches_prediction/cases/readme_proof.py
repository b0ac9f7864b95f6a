with torch.no_grad():
    x = torch.randn(1, 6)
    _, one = model(x, torch.tensor([0]))
    _, two = model(x, torch.tensor([1]))
assert not torch.equal(one, two)
