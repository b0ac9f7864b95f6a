assert train_set[0] == train_set[0]
