r"""The C++ library of a conda environment has lost its link.

Programs ask for `libstdc++.so.6`, which in an environment of conda's is a link to the file itself, as `libstdc++.so.6.0.34`. Where
the link is gone, the loader goes on to the system's copy, which may be older than what PyTorch was built with: importing it
then fails with a version `GLIBCXX_3.4.30` that was not found, though the environment has it.

Cure: make the link again, in the environment's folder `lib`: `ln -s libstdc++.so.6.0.34 libstdc++.so.6`; or
`conda install --force-reinstall libstdcxx-ng`.

Machine (`libstdc++.so.6.0.34 is`):

```toml
path = ["/opt/conda/envs/dl/lib/python3.11/site-packages"]
[files]
"/opt/conda/envs/dl/conda-meta/history" = ""
"/opt/conda/envs/dl/lib/libstdc++.so.6.0.34" = ""
```

Sound (the link is there; no environment of conda's; one without a C++ library):

```toml
path = ["/opt/conda/envs/dl/lib/python3.11/site-packages", "/srv/env/lib/python3.11/site-packages", "/opt/conda/envs/x/lib/python3.11/site-packages"]
[files]
"/opt/conda/envs/dl/conda-meta/history" = ""
"/opt/conda/envs/dl/lib/libstdc++.so.6.0.34" = ""
"/opt/conda/envs/dl/lib/libstdc++.so" = { link = "libstdc++.so.6.0.34" }
"/opt/conda/envs/dl/lib/libstdc++.so.6" = { link = "libstdc++.so.6.0.34" }
"/srv/env/lib/libstdc++.so.6.0.34" = ""
"/opt/conda/envs/x/conda-meta/history" = ""
```
"""

from keng.env.machine import Machine
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")
pitfall.breaks("torch-library-not-loaded")


@pitfall.probes
def link_missing(machine: Machine) -> Hits:
    for copy in machine.libraries_of_conda("libstdc++"):
        link = f"{copy.folder}/libstdc++.so.6"
        if len(copy.version) > 1 and not machine.exists(link):
            yield machine.hit(
                f"{link} is not there, though {copy.name} is: the system's copy, which may be older, is loaded instead",
                f"ln -s {copy.name} {link}",
                {copy.path: "there", link: "not there"},
            )
