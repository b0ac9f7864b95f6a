# a conjugate over dlpack
import numpy
import torch

z = torch.ones(2, dtype=torch.cfloat).conj()
y = numpy.from_dlpack(z)  # run: `resolve_conj()`
