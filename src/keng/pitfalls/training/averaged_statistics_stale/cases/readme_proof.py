torch.optim.swa_utils.update_bn([x], averaged)
with torch.no_grad():
    assert not torch.allclose(out, averaged.eval()(x))
