assert torch.equal(prediction.grad, weights**2)
