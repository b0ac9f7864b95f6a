"""French to English with attention."""

import random
import time

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch import optim

from prepare import MAX_LENGTH, input_lang, output_lang, pairs, tensorsFromPair

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
SOS_token, EOS_token = 0, 1
teacher_forcing_ratio = 0.5


class EncoderRNN(nn.Module):
    def __init__(self, input_size, hidden_size):
        super(EncoderRNN, self).__init__()
        self.hidden_size = hidden_size
        self.embedding = nn.Embedding(input_size, hidden_size)
        self.gru = nn.GRU(hidden_size, hidden_size)

    def forward(self, input, hidden):
        embedded = self.embedding(input).view(1, 1, -1)
        return self.gru(embedded, hidden)

    def initHidden(self):
        return torch.zeros(1, 1, self.hidden_size, device=device)


class AttnDecoderRNN(nn.Module):
    def __init__(self, hidden_size, output_size, dropout_p=0.1, max_length=MAX_LENGTH):
        nn.Module.__init__(self)
        self.hidden_size = hidden_size
        self.dropout_p = dropout_p
        self.embedding = nn.Embedding(output_size, hidden_size)
        self.attn = nn.Linear(hidden_size * 2, max_length)
        self.attn_combine = nn.Linear(hidden_size * 2, hidden_size)
        self.gru = nn.GRU(hidden_size, hidden_size)
        self.out = nn.Linear(hidden_size, output_size)

    def forward(self, input, hidden, encoder_outputs):
        embedded = self.embedding(input).view(1, 1, -1)
        embedded = F.dropout(embedded, p=self.dropout_p)  # check: functional-dropout-always-on
        attn_weights = F.softmax(self.attn(torch.cat((embedded[0], hidden[0]), 1)))  # check: softmax-dim-missing
        attn_applied = torch.bmm(attn_weights.unsqueeze(0), encoder_outputs.unsqueeze(0))
        output = torch.cat((embedded[0], attn_applied[0]), 1)
        output = F.relu(self.attn_combine(output).unsqueeze(0))
        output, hidden = self.gru(output, hidden)
        output = torch.log(F.softmax(self.out(output[0]), dim=1))  # check: unstable-log
        return output, hidden, attn_weights


def train(input_tensor, target_tensor, encoder, decoder, encoder_optimizer, decoder_optimizer, criterion):
    encoder_hidden = encoder.initHidden()
    encoder_optimizer.zero_grad()
    decoder_optimizer.zero_grad()
    encoder_outputs = torch.zeros(MAX_LENGTH, encoder.hidden_size, device=device)
    loss = 0
    for ei in range(input_tensor.size(0)):
        encoder_output, encoder_hidden = encoder(input_tensor[ei], encoder_hidden)
        encoder_outputs[ei] = encoder_output[0, 0]

    decoder_input = torch.tensor([[SOS_token]], device=device)
    decoder_hidden = encoder_hidden
    use_teacher_forcing = random.random() < teacher_forcing_ratio
    for di in range(target_tensor.size(0)):
        decoder_output, decoder_hidden, _ = decoder(decoder_input, decoder_hidden, encoder_outputs)
        loss += criterion(decoder_output, target_tensor[di])
        if use_teacher_forcing:
            decoder_input = target_tensor[di]
        else:
            _, topi = decoder_output.topk(1)
            decoder_input = topi.squeeze().detach()
            if decoder_input.item() == EOS_token:
                break
    loss.backward(retain_graph=True)  # check: retain-graph-needless
    encoder_optimizer.step()
    decoder_optimizer.step()
    return loss


def trainIters(encoder, decoder, n_iters, print_every=1000, learning_rate=0.01):
    start = time.time()
    print_loss_total = 0
    encoder_optimizer = optim.SGD(encoder.parameters(), lr=learning_rate)
    decoder_optimizer = optim.SGD(decoder.parameters(), lr=learning_rate)
    training_pairs = [tensorsFromPair(random.choice(pairs)) for i in range(n_iters)]
    criterion = nn.NLLLoss()
    for iter in range(1, n_iters + 1):
        input_tensor, target_tensor = training_pairs[iter - 1]
        loss = train(
            input_tensor, target_tensor, encoder, decoder, encoder_optimizer, decoder_optimizer, criterion
        )
        print_loss_total += loss  # check: loss-keeps-graph
        if iter % print_every == 0:
            print(f"{time.time() - start:.0f}s {iter} {print_loss_total / print_every:.4f}")
            print_loss_total = 0
            evaluateRandomly(encoder, decoder)


def evaluate(encoder, decoder, pair, max_length=MAX_LENGTH):
    input_tensor, _ = tensorsFromPair(pair)
    encoder_hidden = encoder.initHidden()
    encoder_outputs = torch.zeros(max_length, encoder.hidden_size, device=device)
    for ei in range(input_tensor.size(0)):
        encoder_output, encoder_hidden = encoder(input_tensor[ei], encoder_hidden)  # check: validation-records-gradients
        encoder_outputs[ei] += encoder_output[0, 0]
    decoder_input = torch.tensor([[SOS_token]], device=device)
    decoder_hidden = encoder_hidden
    decoded_words = []
    for di in range(max_length):
        decoder_output, decoder_hidden, _ = decoder(decoder_input, decoder_hidden, encoder_outputs)
        topv, topi = decoder_output.data.topk(1)
        if topi.item() == EOS_token:
            break
        decoded_words.append(output_lang.index2word[topi.item()])
        decoder_input = topi.squeeze().detach()
    return decoded_words


def evaluateRandomly(encoder, decoder, n=10):
    for _ in range(n):
        pair = random.choice(pairs)
        print(">", pair[0], "=", pair[1], "<", " ".join(evaluate(encoder, decoder, pair)))


encoder1 = EncoderRNN(input_lang.n_words, 256).to(device)
attn_decoder1 = AttnDecoderRNN(256, output_lang.n_words).to(device)
trainIters(encoder1, attn_decoder1, 75000, print_every=5000)
torch.save(encoder1.state_dict(), "encoder.pt")
torch.save(attn_decoder1.state_dict(), "decoder.pt")
