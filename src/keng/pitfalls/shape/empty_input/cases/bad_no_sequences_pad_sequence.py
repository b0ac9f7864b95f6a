# no sequences; `pad_sequence`
from torch.nn.utils.rnn import pad_sequence

batch = pad_sequence([], batch_first=True)  # run: no sequence came
