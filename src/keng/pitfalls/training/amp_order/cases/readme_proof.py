assert norm > 1000
