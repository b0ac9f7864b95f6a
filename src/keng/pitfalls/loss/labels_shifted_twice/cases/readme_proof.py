after_next = torch.nn.functional.cross_entropy(
    told.logits[:, :-1].flatten(0, 1), ids[:, 2:].flatten()
)
assert torch.allclose(told.loss, after_next)
