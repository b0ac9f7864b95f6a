assert best < total
