"""What every pitfall claims in its folder, and how each claim is tested: the tests of keng, and `keng
test-pack`."""
