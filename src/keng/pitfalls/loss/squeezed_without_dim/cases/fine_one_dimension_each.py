# each squeezes its own dimension; a scalar that is squeezed elsewhere
import torch


def decode(mels, gates):
    mel_outputs, gate_outputs = [], []
    for mel, gate in zip(mels, gates):
        mel_outputs += [mel.squeeze(1)]
        gate_outputs += [gate.squeeze(1)]
    return torch.stack(mel_outputs), torch.stack(gate_outputs)


def printed(loss):
    value = loss.squeeze()
    return value.item()


out = decode(torch.ones(3, 2, 1, 4), torch.ones(3, 2, 1)), printed(torch.ones(1))
