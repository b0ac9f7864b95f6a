assert labels.unique().tolist() == [0]
