assert orders[0] == orders[1]
