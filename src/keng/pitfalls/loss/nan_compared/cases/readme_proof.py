assert not found
