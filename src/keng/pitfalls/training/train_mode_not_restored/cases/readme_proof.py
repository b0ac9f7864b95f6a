assert modes[0] and not modes[-1]
