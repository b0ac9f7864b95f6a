with torch.no_grad():
    model.eval()
    x = torch.randn(4, 5, 16)
    changed = x.clone()
    changed[0] += 1
assert not torch.allclose(model(x)[1:], model(changed)[1:])
