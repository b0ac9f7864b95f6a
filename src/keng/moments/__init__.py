"""What watchers are shown: moments of a running program, named in `MOMENTS`.

Plain objects, made by the engine, that hold no torch and need none.
"""

from keng.moments.base import MOMENTS, Moment
from keng.moments.gradients import CarriedGradients, HeldGraphs, Holder, Idle, IdleParameters
from keng.moments.loop import (
    Backward,
    Batch,
    End,
    Evaluation,
    Forward,
    FunctionalDropout,
    OptimizerStep,
    SchedulerStep,
    ZeroGrad,
)
from keng.moments.losses import Labels, LossCall, NotFinite, Origin
from keng.moments.parameters import IdleOptimizer, Unmoved, UnmovedParameters

__all__ = [
    "MOMENTS",
    "Backward",
    "Batch",
    "CarriedGradients",
    "End",
    "Evaluation",
    "Forward",
    "FunctionalDropout",
    "HeldGraphs",
    "Holder",
    "Idle",
    "IdleOptimizer",
    "IdleParameters",
    "Labels",
    "LossCall",
    "Moment",
    "NotFinite",
    "OptimizerStep",
    "Origin",
    "SchedulerStep",
    "Unmoved",
    "UnmovedParameters",
    "ZeroGrad",
]
