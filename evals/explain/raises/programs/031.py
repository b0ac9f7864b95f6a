# argument: Point()
from torch._dynamo.polyfills import impl_MATCH_CLASS


class Point:
    __match_args__ = (1, "y")


impl_MATCH_CLASS(Point(), Point, 2, ())
