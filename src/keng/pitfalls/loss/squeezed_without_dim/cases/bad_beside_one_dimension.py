# of two outputs that are collected side by side, one is squeezed of all dimensions of one
import torch


def decode(mels, gates):
    mel_outputs, gate_outputs = [], []
    for mel, gate in zip(mels, gates):
        mel_outputs += [mel.squeeze(1)]
        gate_outputs += [gate.squeeze()]  # check: loses every dimension of one
    return torch.stack(mel_outputs), torch.stack(gate_outputs)


mels, gates = torch.ones(3, 1, 1, 4), torch.ones(3, 1, 1)
mel, gate = decode(mels, gates)

# proof
assert mel.shape == (3, 1, 4) and gate.shape == (3,)
