with torch.no_grad():
    x = torch.ones(1, 5, 8)
    uneven = Attention(8)
    assert torch.allclose(uneven(x), x)  # all scores alike: no difference
    x = torch.randn(1, 5, 8)
    scores = uneven.query(x) @ uneven.key(x).transpose(1, 2)
assert not torch.allclose(scores.softmax(dim=1).sum(-1), torch.ones(1, 5))
