"""One parsed program and the questions a finder may ask: names, scopes, kinds, calls, loops, contexts."""

from keng.source.code import Code
from keng.source.contexts import Grad
from keng.source.loops import Act, Loop, Step
from keng.source.names import Definition
from keng.source.project import Project
from keng.source.values import Kind, Value

__all__ = ["Act", "Code", "Definition", "Grad", "Kind", "Loop", "Project", "Step", "Value"]
