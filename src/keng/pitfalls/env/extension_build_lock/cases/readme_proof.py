assert not acquired and waits
