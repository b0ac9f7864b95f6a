"""Tests of a model on a batch of its own, without a reference: rows stay apart, the future stays unseen,
padding does not count, a repeated call repeats.

`probe_run(call)` runs them all; `keng.toolbox.probe` and `keng probe` are made of it. The model, its batch
and the program are not changed by one bit: copies run, under saved random states.
"""

from __future__ import annotations

from keng.run.probes.call import Call as Call
from keng.run.probes.call import call_of as call_of
from keng.run.probes.call import is_model as is_model
from keng.run.probes.engine import PROBES as PROBES
from keng.run.probes.engine import probe_run as probe_run
from keng.run.probes.results import Finding as Finding
from keng.run.probes.results import Outcome as Outcome
from keng.run.probes.results import Report as Report
from keng.run.probes.results import Skipped as Skipped
