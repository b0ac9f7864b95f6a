"""What watchers are shown: moments of a running program, named in `MOMENTS`.

Plain objects, made by the engine, that hold no torch and need none.
"""

from keng.moments.base import MOMENTS, Moment
from keng.moments.feeding import (
    BatchOfOne,
    BatchValues,
    DirtyInput,
    Interpolated,
    Kept,
    LoaderBegun,
    LoaderFailed,
    Recurrent,
    RepeatedStream,
    StalledLoader,
    StarvedLoop,
    Worker,
)
from keng.moments.gradients import CarriedGradients, HeldGraphs, Holder, Idle, IdleParameters
from keng.moments.graphs import Logarithm, LossGraph, Pairing, Widened
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
from keng.moments.protocol import (
    AccumulatedGradients,
    ClippedGradients,
    GradientsOff,
    LossScale,
    ScaledStep,
    TrainedInEval,
    VanishedRate,
)
from keng.moments.state import (
    FailedForward,
    LoadedState,
    MovedModule,
    OverlappingOptimizers,
    PartialResume,
    ReadCheckpoint,
    UntrainedNorm,
)

__all__ = [
    "MOMENTS",
    "AccumulatedGradients",
    "Backward",
    "Batch",
    "BatchOfOne",
    "BatchValues",
    "CarriedGradients",
    "ClippedGradients",
    "DirtyInput",
    "End",
    "Evaluation",
    "FailedForward",
    "Forward",
    "FunctionalDropout",
    "GradientsOff",
    "HeldGraphs",
    "Holder",
    "Idle",
    "IdleOptimizer",
    "IdleParameters",
    "Interpolated",
    "Kept",
    "Labels",
    "LoadedState",
    "LoaderBegun",
    "LoaderFailed",
    "Logarithm",
    "LossCall",
    "LossGraph",
    "LossScale",
    "Moment",
    "MovedModule",
    "NotFinite",
    "OptimizerStep",
    "Origin",
    "OverlappingOptimizers",
    "Pairing",
    "PartialResume",
    "ReadCheckpoint",
    "Recurrent",
    "RepeatedStream",
    "ScaledStep",
    "SchedulerStep",
    "StalledLoader",
    "StarvedLoop",
    "TrainedInEval",
    "Unmoved",
    "UnmovedParameters",
    "UntrainedNorm",
    "VanishedRate",
    "Widened",
    "Worker",
    "ZeroGrad",
]
