# A folder that holds no code is imported in place of a library
import sys
import tempfile
from pathlib import Path

here = tempfile.mkdtemp()
Path(here, "torch_scatter", "csrc").mkdir(parents=True)
sys.path.insert(0, here)
from torch_scatter import scatter
