# a package that is not there
from transformers.utils.versions import require_version

require_version("a-package-of-none>=1.8.0")  # run: `a-package-of-none>=1.8.0`
