other = ids.clone()
other[:, :5] = (ids[:, :5] + 1) % 32
given = {"position_ids": positions}
assert not torch.equal(model(ids, **given).logits[:, 5:], model(other, **given).logits[:, 5:])
