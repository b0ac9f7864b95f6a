assert torch.autograd.grad(F.mse_loss(discriminator(fake.detach()), torch.ones(4, 1)), list(generator.parameters()), allow_unused=True)[0] is None
