with torch.no_grad():
    assert torch.equal(model(torch.randn(1, 6)), model(torch.randn(1, 6)))
