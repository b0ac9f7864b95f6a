assert rates[0] == 0.1
