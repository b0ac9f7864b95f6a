assert done == 10
