assert torch.equal(model.get_input_embeddings().weight[32:], first)
assert (first[0] - first[1]).norm() < 1e-3 * model.get_input_embeddings().weight[:32].std()
