import torch
from torch import nn

params = {
    "encoder_dim": 96,
    "decoder_dim": 64,
    "heads": 4,
}


class Captioner(nn.Module):
    def __init__(self, p):
        super().__init__()
        self.visual = nn.Linear(512, p["encoder_dim"])
        self.words = nn.Embedding(200, p["decoder_dim"])
        layer = nn.TransformerDecoderLayer(p["decoder_dim"], p["heads"], batch_first=True)
        self.decoder = nn.TransformerDecoder(layer, 2)
        self.out = nn.Linear(p["decoder_dim"], 200)

    def forward(self, regions, words):
        memory = self.visual(regions)
        return self.out(self.decoder(self.words(words), memory))


model = Captioner(params)
print(model(torch.randn(2, 36, 512), torch.randint(200, (2, 12))).shape)
