assert count == 0
