import tempfile
from unittest import mock

with tempfile.NamedTemporaryFile(suffix=".npy") as file:
    np.save(file.name, np.ones((4, 2)))
    with mock.patch("numpy.load", wraps=np.load) as reading:
        rows = [Rows(file.name, 4)[n] for n in range(4)]
assert reading.call_count == 4
