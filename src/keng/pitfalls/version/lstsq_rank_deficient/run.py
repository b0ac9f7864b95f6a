"""A running program: a least-squares problem is solved by a driver that cannot see that its matrix is singular."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import watches
from keng.run.moments import LeastSquares


@watches("least.squares")
def rank_is_lower(solved: LeastSquares) -> Hits:
    if solved.rank < solved.columns:
        says = f"the matrix has rank {solved.rank} and {solved.columns} columns"
        yield solved.hit(f"{says}, and {solved.driver} takes it to be full", rank=solved.rank)
