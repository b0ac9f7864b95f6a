"""What a comparer is shown: what the ranks of one run have told, side by side.

Plain objects, made by the engine, that hold no torch and need none. They travel between processes.
calls.py holds collectives and partings, byhand.py models without a wrapper, told.py the rest and `Ranks`,
which is what is shown.
"""

from keng.ranks.byhand import ByHand, Gradient, Reduction
from keng.ranks.calls import (
    ANY,
    LOST,
    NEW_GROUP,
    Call,
    Collective,
    Mail,
    Message,
    Parting,
    Side,
    Stall,
    Standing,
    Way,
    place,
    spoken,
)  # fmt: skip
from keng.ranks.told import (
    Difference,
    Fed,
    File,
    Held,
    Pass,
    Ranks,
    Replica,
    Restored,
    Shuffled,
    Told,
    first_of,
    minority,
)  # fmt: skip

__all__ = [
    "ANY", "LOST", "NEW_GROUP", "ByHand", "Call", "Collective", "Difference", "Fed", "File", "Gradient",
    "Held", "Mail", "Message", "Parting", "Pass", "Ranks", "Reduction", "Replica", "Restored", "Shuffled",
    "Side", "Stall", "Standing", "Told", "Way", "first_of", "minority", "place", "spoken",
]  # fmt: skip
