kept = loss.grad_fn.next_functions[0][0]._saved_self
assert kept.shape == (4, 1)
