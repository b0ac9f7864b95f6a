net(x).sum().backward()
assert net.rnn.weight_hh_l0.grad.any() and not net.rnn.weight_hh_l0_reverse.grad.any()
