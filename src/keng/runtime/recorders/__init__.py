"""What must be remembered over time, and what is made of it. One module for each kind of moment.

Only recorders whose moments an enabled watcher asks for are made, and only the taps they listen to
are put on.
"""

from keng.runtime.bus import Recorder
from keng.runtime.recorders.accumulation import Accumulation
from keng.runtime.recorders.attention import Attention
from keng.runtime.recorders.autocasts import Autocasts
from keng.runtime.recorders.averages import Averages
from keng.runtime.recorders.bytes import Bytes
from keng.runtime.recorders.carried import Carried
from keng.runtime.recorders.clipping import Clipping
from keng.runtime.recorders.clock import Clock
from keng.runtime.recorders.constants import Constants
from keng.runtime.recorders.coverage import Coverage
from keng.runtime.recorders.cuda import Copies, Reads, Searches
from keng.runtime.recorders.drawn import Drawn
from keng.runtime.recorders.dropouts import Dropouts
from keng.runtime.recorders.dropped import Dropped
from keng.runtime.recorders.evaluations import Evaluations
from keng.runtime.recorders.failing import Failing
from keng.runtime.recorders.feeding import Feeding
from keng.runtime.recorders.firststeps import FirstSteps
from keng.runtime.recorders.followers import Followers
from keng.runtime.recorders.gathering import Gathering
from keng.runtime.recorders.gradoff import GradOff
from keng.runtime.recorders.graphs import Graphs
from keng.runtime.recorders.growth import Growth
from keng.runtime.recorders.idle import IdleOnes
from keng.runtime.recorders.keptstates import KeptStates
from keng.runtime.recorders.layers import Layers
from keng.runtime.recorders.leaks import Leaks
from keng.runtime.recorders.leaves import Leaves
from keng.runtime.recorders.loaderfailures import LoaderFailures
from keng.runtime.recorders.loading import Loading
from keng.runtime.recorders.losses import Losses
from keng.runtime.recorders.lossgraphs import LossGraphs
from keng.runtime.recorders.marks import Marks
from keng.runtime.recorders.modes import Modes
from keng.runtime.recorders.nonfinite import NonFinite
from keng.runtime.recorders.norms import Norms
from keng.runtime.recorders.outputs import Outputs
from keng.runtime.recorders.outside import Draws, Locks, Squares
from keng.runtime.recorders.overlaps import Overlaps
from keng.runtime.recorders.overridden import Overridden
from keng.runtime.recorders.penalties import Penalties
from keng.runtime.recorders.plain import PLAIN
from keng.runtime.recorders.probing import Probing
from keng.runtime.recorders.rates import Rates
from keng.runtime.recorders.resuming import Resuming
from keng.runtime.recorders.retained import Retained
from keng.runtime.recorders.scales import Scales
from keng.runtime.recorders.scaling import Scaling
from keng.runtime.recorders.schedules import Schedules
from keng.runtime.recorders.selections import Selections
from keng.runtime.recorders.shaded import Shaded
from keng.runtime.recorders.sizes import Sizes
from keng.runtime.recorders.stalls import Stalls
from keng.runtime.recorders.starving import Starving
from keng.runtime.recorders.statistics import Statistics
from keng.runtime.recorders.strangers import Strangers
from keng.runtime.recorders.strays import Strays
from keng.runtime.recorders.streams import Streams
from keng.runtime.recorders.untaken import Untaken
from keng.runtime.recorders.values import Values
from keng.runtime.recorders.wrapped import Wrapped

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
