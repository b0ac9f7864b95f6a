with torch.no_grad():
    assert model(torch.zeros(1, 16)).item() < 1
