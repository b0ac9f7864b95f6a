r"""A server does not give what PyTorch is to download.

`torch.hub.load` first asks GitHub whether the branch belongs to the repository, and GitHub answers 60 such questions an hour from one address, which
a cluster, Colab or a proxy shares with many: `403: rate limit exceeded`, which 2.6 and later tell as `KeyError: 'Authorization'`. An old torchvision
has addresses that are gone. A Python without certificates, as that of python.org on a Mac, or a proxy that puts in its own, trusts no server.

Cure: `skip_validation=True`, or a `GITHUB_TOKEN` in the environment; `torchvision.models` for its models; a newer torchvision; `Install
Certificates.command` or `SSL_CERT_FILE`; or the file by hand, where the message or the documentation says that it is looked for.

Bad:

```python
import torch

model = torch.hub.load("pytorch/vision", "resnet18")
```

Good:

```python
import torch

model = torch.hub.load("pytorch/vision", "resnet18", skip_validation=True)
```

Message (torch 1.9; `skip_validation=True`):

```text
Traceback (most recent call last):
  File "/home/u/train.py", line 4, in <module>
    model = torch.hub.load("pytorch/vision:v0.9.0", "resnet18", pretrained=True)
  File "/usr/local/lib/python3.7/dist-packages/torch/hub.py", line 124, in _validate_not_a_forked_repo
    with urlopen(url) as r:
  File "/usr/lib/python3.7/urllib/request.py", line 649, in http_error_default
    raise HTTPError(req.full_url, code, msg, hdrs, fp)
urllib.error.HTTPError: HTTP Error 403: rate limit exceeded
```

Message (torch 2.7, behind the 403; `skip_validation=True`):

```text
Traceback (most recent call last):
  File "/home/u/train.py", line 4, in <module>
    model = torch.hub.load("pytorch/vision", "resnet18")
  File "/opt/conda/lib/python3.11/site-packages/torch/hub.py", line 211, in _validate_not_a_forked_repo
    del headers["Authorization"]
KeyError: 'Authorization'
```

Message (torchvision 0.9; `503: Service Unavailable`):

```text
Traceback (most recent call last):
  File "/home/u/train.py", line 9, in <module>
    train = datasets.MNIST(".", download=True)
  File "/opt/conda/lib/python3.8/site-packages/torchvision/datasets/mnist.py", line 79, in __init__
    self.download()
  File "/opt/conda/lib/python3.8/urllib/request.py", line 649, in http_error_default
    raise HTTPError(req.full_url, code, msg, hdrs, fp)
urllib.error.HTTPError: HTTP Error 503: Service Unavailable
```

Message (torch 1.9 on a Mac; `SSL_CERT_FILE`):

```text
Traceback (most recent call last):
  File "/Users/u/train.py", line 3, in <module>
    model = models.resnet18(pretrained=True)
  File "/Users/u/venv/lib/python3.9/site-packages/torch/hub.py", line 553, in load_state_dict_from_url
    download_url_to_file(url, cached_file, hash_prefix, progress=progress)
  File "/Library/Frameworks/Python.framework/Versions/3.9/lib/python3.9/urllib/request.py", line 1349, in do_open
    raise URLError(err)
urllib.error.URLError: <urlopen error [SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed: unable to get local issuer certificate (_ssl.c:1129)>
```

Message (curl 7, of a wheel or weights; `https_proxy`):

```text
curl: (7) Failed to connect to download.pytorch.org port 443: Connection refused
```

Message (torchvision 0.9; `has moved`):

```text
Traceback (most recent call last):
  File "/home/u/train.py", line 4, in <module>
    train = datasets.MNIST(".", download=True)
  File "/env/lib/python3.11/site-packages/torchvision/datasets/utils.py", line 132, in download_url
  File "/usr/lib/python3.11/urllib/request.py", line 643, in http_error_default
    raise HTTPError(req.full_url, code, msg, hdrs, fp)
urllib.error.HTTPError: HTTP Error 404: Not Found
```

Message (torch 2.0 to 2.13; `owner/name:branch`):

```text
Traceback (most recent call last):
  File "/home/u/train.py", line 4, in <module>
    model = torch.hub.load("me/models", "net")
  File "/env/lib/python3.11/site-packages/torch/hub.py", line 230, in _get_cache_or_reload
  File "/usr/lib/python3.11/urllib/request.py", line 643, in http_error_default
    raise HTTPError(req.full_url, code, msg, hdrs, fp)
urllib.error.HTTPError: HTTP Error 404: Not Found
```

Message (torch 1.10 to 2.13, of a repository, while GitHub is ill; `later again`):

```text
  File "/home/u/train.py", line 4, in <module>
    model = torch.hub.load("pytorch/vision", "resnet18")
  File "/env/lib/python3.11/site-packages/torch/hub.py", line 230, in _get_cache_or_reload
    _validate_not_a_forked_repo(repo_owner, repo_name, ref)
  File "/usr/lib/python3.11/urllib/request.py", line 643, in http_error_default
    raise HTTPError(req.full_url, code, msg, hdrs, fp)
urllib.error.HTTPError: HTTP Error 502: Bad Gateway
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="a network")

HUB = "torch/hub.py"
ASKED = "GitHub answers no more questions from this address for now"
OF_A_REPOSITORY = ("_get_cache_or_reload", "_validate_not_a_forked_repo", "_parse_repo_info")
CURE = "skip_validation=True, or a GITHUB_TOKEN in the environment"


@pitfall.explains(r"HTTP Error 403: rate limit exceeded", odds=0.93)
def asked_too_often(failure: Failure) -> Hits:
    if not failure.frames or failure.passed_through(HUB):
        yield failure.hit(f"{ASKED}: {CURE}", sure=bool(failure.frames))


@pitfall.explains(r"\bKeyError: 'Authorization'", odds=0.95)
def asked_too_often_without_a_token(failure: Failure) -> Hits:
    if failure.passed_through(HUB):
        yield failure.hit(f"{ASKED}: {CURE}")


@pitfall.explains(r"HTTP Error (?P<said>(?!403: rate)\d{3}: [\w -]{3,40})", odds=0.93)
def not_given(failure: Failure) -> Hits:
    said = failure.groups["said"]
    if not _fetches(failure):
        return
    cure = "later again, or the file by hand"
    of_a_repository = any(frame.function in OF_A_REPOSITORY for frame in failure.frames)
    if of_a_repository and said.startswith("404"):
        cure = "GitHub has no such repository or branch, or it is private: 'owner/name:branch'"
    elif said.startswith(("403", "404", "410")):
        cure = "the file has moved: a newer torchvision, which has other addresses, or the file by hand"
    yield failure.hit(f"the server answers {said}: {cure}")


@pitfall.explains(r"CERTIFICATE_VERIFY_FAILED", odds=0.93)
def not_trusted(failure: Failure) -> Hits:
    if _fetches(failure):
        yield failure.hit(
            "this Python trusts no server: Install Certificates.command on a Mac, SSL_CERT_FILE with those of certifi or of "
            "the proxy, or the file by hand"
        )


@pitfall.explains(
    r"(?:[Ff]ailed to connect to|[Cc]ould not resolve host:) download\.pytorch\.org\b", odds=0.93
)
def not_reached(failure: Failure) -> Hits:
    yield failure.hit(
        "this machine does not reach the server: https_proxy where there is a proxy, or the file by hand, from another machine"
    )


def _fetches(failure: Failure) -> bool:
    """Whether PyTorch or torchvision was to download it; any program may be told the same."""
    paths = [frame.posix for frame in failure.frames]
    return any(path.endswith(HUB) or "/torchvision/datasets/" in path for path in paths)
