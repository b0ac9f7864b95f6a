assert (brighter < 60).any()
