# argument: asian_support="yes"
from torchmetrics.text import TranslationEditRate

rate = TranslationEditRate(asian_support="yes")
