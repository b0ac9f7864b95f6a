with torch.no_grad():
    assert all(torch.equal(row, out[0]) for out in [net.train()(torch.ones(64, 4))] for row in out)
