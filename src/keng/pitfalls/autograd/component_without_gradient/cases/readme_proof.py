assert net.encoder[0].weight.equal(first)
