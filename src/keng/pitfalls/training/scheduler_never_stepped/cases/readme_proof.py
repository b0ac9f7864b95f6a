assert rates[0] == rates[-1]
