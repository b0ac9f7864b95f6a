r"""Weights or a hub's repository are not downloaded.

`torch.hub`, torchvision and libraries over them fetch files by Python's urllib. GitHub allows few requests an hour without a token, for all that
share an address (Colab, a cluster), and `torch.hub.load` asks it whether the branch is the repository's own. Python verifies the certificate of the server: without the
system's certificates, as after Python's installer for macOS, behind a proxy that opens TLS, or when the server's has run out, it refuses.

Cure: for GitHub `torch.hub.load(..., skip_validation=True)`, or `GITHUB_TOKEN` in the environment; for certificates `Install Certificates.command` on
macOS, `pip install -U certifi` and `SSL_CERT_FILE=$(python -m certifi)`, or the proxy's own; else fetch the file by a browser and put it into
`torch.hub.get_dir() + "/checkpoints"` under the name of its address.

Bad:

```python
import torch

model = torch.hub.load("pytorch/vision", "resnet18", weights="DEFAULT")
```

Good:

```python
import torch

print(torch.hub.get_dir())
```

Message (torch 1.9; `GITHUB_TOKEN`):

```text
  File "/opt/conda/lib/python3.8/site-packages/torch/hub.py", line 124, in _validate_not_a_forked_repo
    with urlopen(url) as r:
  File "/opt/conda/lib/python3.8/urllib/request.py", line 649, in http_error_default
    raise HTTPError(req.full_url, code, msg, hdrs, fp)
urllib.error.HTTPError: HTTP Error 403: rate limit exceeded
```

Message (torch 2.13, without a token; `GITHUB_TOKEN`):

```text
  File "/env/lib/python3.11/site-packages/torch/hub.py", line 252, in _validate_not_a_forked_repo
    del headers["Authorization"]
KeyError: 'Authorization'
```

Message (torch 1.4; `certificate`):

```text
  File "/env/lib/python3.6/site-packages/torch/hub.py", line 452, in load_state_dict_from_url
    _download_url_to_file(url, cached_file, hash_prefix, progress=progress)
urllib.error.URLError: <urlopen error [SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed (_ssl.c:852)>
```

Message (torchvision 0.5; `403`):

```text
  File "/env/lib/python3.6/site-packages/torch/hub.py", line 397, in _download_url_to_file
    u = urlopen(req)
urllib.error.HTTPError: HTTP Error 403: Forbidden
```
"""

from keng.failures import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="a network that refuses")


@pitfall.explains(r"HTTP Error 403: rate limit exceeded", r"'Authorization'$", odds=0.95)
def asked_too_often(failure: Failure) -> Hits:
    """Where no token is set, torch trips over that as it asks again."""
    if failure.passed_through("torch/hub.py") or "torch.hub" in failure.line + failure.around:
        yield failure.hit(
            "GitHub has had too many requests from this address: skip_validation=True, GITHUB_TOKEN in the environment, or an hour later"
        )


@pitfall.explains(r"\[SSL: CERTIFICATE_VERIFY_FAILED\]", odds=0.95)
def certificate_refused(failure: Failure) -> Hits:
    if failure.beside_torch:
        yield failure.hit(
            "Python cannot verify the server's certificate: the certificates of Python or of the proxy are missing, or the server's ran out; SSL_CERT_FILE, or fetch the file by a browser"
        )


@pitfall.explains(
    r"HTTP Error (?P<code>403|404|429|50\d): (?!rate)",
    odds=0.85,
)
def not_served(failure: Failure) -> Hits:
    if failure.beside_torch:
        yield failure.hit(
            f"the server or the network refuses ({failure.groups['code']}): try later or see proxy and name server; or fetch the file elsewhere into torch.hub.get_dir()/checkpoints"
        )
