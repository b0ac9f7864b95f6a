assert len(net.layers) == 4 and len(list(net.parameters())) == 2
assert net.layers[0] is net.layers[3]
