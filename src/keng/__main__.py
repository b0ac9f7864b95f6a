"""`python -m keng` is `keng`."""

import sys

from keng.faces.cli import main

if __name__ == "__main__":
    sys.exit(main())
