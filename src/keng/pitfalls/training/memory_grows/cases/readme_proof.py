assert len(model[0].activations) == 140
