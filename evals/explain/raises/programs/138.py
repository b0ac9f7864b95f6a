# argument: scl=[1, 2]
from numpy.polynomial import hermite

integral = hermite.hermint([1, 2, 3], scl=[1, 2])
