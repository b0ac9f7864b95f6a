assert seen <= {0, 1}
