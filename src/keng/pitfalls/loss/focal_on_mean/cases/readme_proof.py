mean = F.cross_entropy(logits, target)
focal, plain = (torch.autograd.grad(each, logits, retain_graph=True)[0] for each in (loss, mean))
scale = focal.norm() / plain.norm()
assert torch.allclose(focal, scale * plain, atol=1e-6)  # as plain cross-entropy, scaled
