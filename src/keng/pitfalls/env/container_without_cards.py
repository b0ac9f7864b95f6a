r"""A container cannot be given the cards.

Docker knows nothing of NVIDIA's cards. For `--gpus` it calls the NVIDIA Container Toolkit, which mounts the driver's libraries and devices of
the host into the container as it starts. So the container does not start where the toolkit is not installed or Docker was not told of it, where the
host's own driver does not run (`libnvidia-ml.so.1` is its library), or where it is older than the image asks for. Docker Desktop for Linux runs in a
machine of its own that has no cards. In Kubernetes the device plugin tells what cards a node has; where it does not run, no node has any.

Cure: `nvidia-smi` on the host first, until it shows the card; then install `nvidia-container-toolkit`, `sudo nvidia-ctk runtime configure
--runtime=docker` and `sudo systemctl restart docker`; a newer driver, or an image of an older CUDA.

Bad:

```python
import subprocess

subprocess.run(["docker", "run", "--gpus", "all", "pytorch/pytorch", "nvidia-smi"], check=True)
```

Good:

```python
import shutil

print(shutil.which("nvidia-smi"), shutil.which("nvidia-ctk"))  # both are there on the host
```

Message (Docker 19.03 to 28; `Toolkit`):

```text
docker: Error response from daemon: could not select device driver "" with capabilities: [[gpu]].
```

Message (Docker; `restarted`):

```text
docker: Error response from daemon: Unknown runtime specified nvidia.
```

Message (Docker 23 to 28; `restarted`):

```text
docker: Error response from daemon: unknown or invalid runtime name: nvidia.
```

Message (packages of the toolkit that do not belong together; `nvidia-container-runtime-hook`):

```text
docker: Error response from daemon: OCI runtime create failed: nvidia-container-runtime did not terminate sucessfully: ERROR: nvidia-container-runtime: inject NVIDIA hook: stat /usr/bin/nvidia-container-runtime-hook: no such file or directory
```

Message (the toolkit, no driver on the host; `libnvidia-ml.so.1`):

```text
docker: Error response from daemon: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: error during container init: error running hook #0: error running hook: exit status 1, stdout: , stderr: Auto-detected mode as 'legacy'
nvidia-container-cli: initialization error: load library failed: libnvidia-ml.so.1: cannot open shared object file: no such file or directory: unknown.
```

Message (the toolkit; `driver not loaded`):

```text
nvidia-container-cli: initialization error: nvml error: driver not loaded: unknown.
```

Message (the toolkit, under WSL; `no adapters were found`):

```text
nvidia-container-cli: initialization error: WSL environment detected but no adapters were found: unknown.
```

Message (the toolkit, an image of a newer CUDA; `cuda>=12.4`):

```text
nvidia-container-cli: requirement error: unsatisfied condition: cuda>=12.4, please update your driver to a newer version, or use an earlier cuda container: unknown.
```

Message (the toolkit, a card that is not there; `card 4`):

```text
nvidia-container-cli: device error: 4: unknown device: unknown.
```

Message (Podman and Docker with CDI; `nvidia.com/gpu=all`):

```text
Error: setting up CDI devices: unresolvable CDI devices nvidia.com/gpu=all
```

Message (Kubernetes; `device plugin`):

```text
0/3 nodes are available: 3 Insufficient nvidia.com/gpu. preemption: 0/3 nodes are available: 3 No preemption victims found for incoming pod.
```

Message (the toolkit's log under WSL2):

```text
WSL2 error: dxcore initialization failed, continuing assuming a non-WSL environment
```

Message (nvidia-smi in a container; `--gpus all`):

```text
Failed to initialize NVML: Insufficient Permissions
```

Message (nvidia-smi in a container; `driver of its own`):

```text
Failed to initialize NVML: GPU access blocked by the operating system
```

Message (the toolkit, without root; `no-cgroups = true`):

```text
nvidia-container-cli: mount error: failed to add device rules: unable to find any existing device filters attached to the cgroup: bpf_prog_query(BPF_CGROUP_DEVICE) failed: operation not permitted: unknown.
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="Docker and cards")

REGISTER = (
    "`sudo nvidia-ctk runtime configure --runtime=docker`, then `sudo systemctl restart docker`"
)
NOT_TOLD = f"Docker was not told of NVIDIA's runtime, or not restarted since: {REGISTER}"

pitfall.answers(
    {
        "unknown or invalid runtime name: nvidia": NOT_TOLD,
        "Unknown runtime specified nvidia": NOT_TOLD,
        "NVML: GPU access blocked by the operating system": "the container brings a driver of its own that is not the host's: an image without libcuda and libnvidia-ml",
        "bpf_prog_query(BPF_CGROUP_DEVICE) failed": "the toolkit may not open devices to the container, as without root: no-cgroups = true in /etc/nvidia-container-runtime/config.toml",
        "NVML: Insufficient Permissions": "the container may not use the card: start it with --gpus all",
    },
    odds=0.9,
)


@pitfall.explains(
    r"could not select device driver \"\w{0,20}\" with capabilities: \[\[[\w ]{0,60}gpu", odds=0.95
)
def toolkit_missing(failure: Failure) -> Hits:
    says = f"Docker has no NVIDIA Container Toolkit: install it, {REGISTER}"
    yield failure.hit(says, sure=False)  # any program's container


@pitfall.explains(
    r"(?:stat|exec) /\S{0,80}/(?P<name>nvidia-container-(?:runtime(?:-hook)?|toolkit)): no such file",
    odds=0.95,
)
def toolkit_in_pieces(failure: Failure) -> Hits:
    yield failure.hit(
        f"Docker calls {failure.groups['name']}, which is not there: install nvidia-container-toolkit anew, in one version"
    )


@pitfall.explains(
    r"nvidia-container-cli: (?:initialization|detection) error: (?P<why>[\w: .-]{5,90}?)(?:: (?:unknown|cannot)\b|$)",
    odds=0.95,
)
def driver_of_the_host(failure: Failure) -> Hits:
    yield failure.hit(
        f"the host's own driver does not run ({failure.groups['why']}): `nvidia-smi` on the host, not in the container, must show the "
        "card; Docker Desktop for Linux has none to give"
    )


@pitfall.explains(r"requirement error: unsatisfied condition: (?P<wants>[\w>=<.]{3,40})", odds=0.97)
def driver_too_old(failure: Failure) -> Hits:
    yield failure.hit(
        f"the image asks for {failure.groups['wants']}, and the host's driver is older: update it, or take an older image"
    )


@pitfall.explains(
    r"nvidia-container-cli: device error: (?P<card>[\w:-]{1,60}): unknown device",
    r"unresolvable CDI devices? (?P<card>\w[\w./=:-]{0,60})",
    odds=0.95,
)
def card_not_there(failure: Failure) -> Hits:
    yield failure.hit(
        f"there is no card {failure.groups['card']} here: `nvidia-smi -L` lists them, `sudo nvidia-ctk cdi generate "
        "--output=/etc/cdi/nvidia.yaml` describes them to CDI"
    )


@pitfall.explains(r"\b(?P<nodes>\d{1,5}) Insufficient nvidia\.com/gpu", odds=0.85)
def no_node_has_one(failure: Failure) -> Hits:
    yield failure.hit(
        f"{failure.groups['nodes']} nodes have no free card: all are taken, or NVIDIA's device plugin does not run"
    )


@pitfall.explains(
    r"dxcore initialization failed, continuing assuming a non-WSL environment", odds=0.7
)
def no_cards_in_wsl(failure: Failure) -> Hits:
    says = "a WSL without cards wants a newer Windows and driver; on plain Linux it is harmless"
    yield failure.hit(says, sure=False)
