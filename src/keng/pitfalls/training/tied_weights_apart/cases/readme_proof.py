assert tied and not model.head.weight.equal(model.embed.weight)
