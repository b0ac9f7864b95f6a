"""What must be remembered over time, and what is made of it. One module for each kind of moment.

Only recorders whose moments an enabled watcher asks for are made, and only the taps they listen to
are put on.
"""

from keng.run.recorder import Recorder
from keng.run.recorders.accumulation import Accumulation
from keng.run.recorders.attention import Attention
from keng.run.recorders.autocasts import Autocasts
from keng.run.recorders.averages import Averages
from keng.run.recorders.bytes import Bytes
from keng.run.recorders.carried import Carried
from keng.run.recorders.clipping import Clipping
from keng.run.recorders.clock import Clock
from keng.run.recorders.constants import Constants
from keng.run.recorders.coverage import Coverage
from keng.run.recorders.cuda import Copies, Reads, Searches
from keng.run.recorders.drawn import Drawn
from keng.run.recorders.dropouts import Dropouts
from keng.run.recorders.dropped import Dropped
from keng.run.recorders.evaluations import Evaluations
from keng.run.recorders.failing import Failing
from keng.run.recorders.feeding import Feeding
from keng.run.recorders.firststeps import FirstSteps
from keng.run.recorders.followers import Followers
from keng.run.recorders.gathering import Gathering
from keng.run.recorders.gradoff import GradOff
from keng.run.recorders.graphs import Graphs
from keng.run.recorders.growth import Growth
from keng.run.recorders.idle import IdleOnes
from keng.run.recorders.keptstates import KeptStates
from keng.run.recorders.layers import Layers
from keng.run.recorders.leaks import Leaks
from keng.run.recorders.leaves import Leaves
from keng.run.recorders.loaderfailures import LoaderFailures
from keng.run.recorders.loading import Loading
from keng.run.recorders.losses import Losses
from keng.run.recorders.lossgraphs import LossGraphs
from keng.run.recorders.marks import Marks
from keng.run.recorders.modes import Modes
from keng.run.recorders.nonfinite import NonFinite
from keng.run.recorders.norms import Norms
from keng.run.recorders.outputs import Outputs
from keng.run.recorders.outside import Draws, Locks, Squares
from keng.run.recorders.overlaps import Overlaps
from keng.run.recorders.overridden import Overridden
from keng.run.recorders.penalties import Penalties
from keng.run.recorders.plain import PLAIN
from keng.run.recorders.probing import Probing
from keng.run.recorders.rates import Rates
from keng.run.recorders.resuming import Resuming
from keng.run.recorders.retained import Retained
from keng.run.recorders.scales import Scales
from keng.run.recorders.scaling import Scaling
from keng.run.recorders.schedules import Schedules
from keng.run.recorders.selections import Selections
from keng.run.recorders.shaded import Shaded
from keng.run.recorders.sizes import Sizes
from keng.run.recorders.stalls import Stalls
from keng.run.recorders.starving import Starving
from keng.run.recorders.statistics import Statistics
from keng.run.recorders.strangers import Strangers
from keng.run.recorders.strays import Strays
from keng.run.recorders.streams import Streams
from keng.run.recorders.untaken import Untaken
from keng.run.recorders.values import Values
from keng.run.recorders.wrapped import Wrapped

# Marks are first, for others to read. Attention and the clock are last: a step ends when all others
# have seen it.
EVERY: tuple[type[Recorder], ...] = (
    Marks, *PLAIN, Dropouts, Losses, Carried, Coverage, Dropped, IdleOnes, Graphs, Evaluations, NonFinite,
    Feeding, Selections, Layers, LoaderFailures, Stalls, Starving, Streams, Values, Scales,
    Loading, KeptStates, Followers, Averages, Resuming, Overlaps, Failing, Wrapped,
    Norms, Statistics, Leaks, Leaves, Retained, Probing, Shaded, FirstSteps, Draws, Squares, Locks,
    Searches, Reads, Copies, LossGraphs, Penalties, Autocasts, Outputs, Overridden, Drawn, Untaken,
    Constants, Sizes, Growth, Strangers, Strays, Gathering, Bytes, Modes, GradOff, Scaling, Clipping,
    Accumulation, Rates, Schedules, Attention, Clock,
)  # fmt: skip

__all__ = ["EVERY"]
