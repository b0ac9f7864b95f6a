# argument: hparam_domain_discrete=domain
from torch.utils.tensorboard.summary import hparams

settings = {"lr": 0.1, "batch": 32}
domain = {"lr": ["0.1", "0.01"]}
hparams(settings, {"loss": 1.0}, hparam_domain_discrete=domain)
