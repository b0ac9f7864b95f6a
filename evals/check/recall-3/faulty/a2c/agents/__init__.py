from .recurrent import RecurrentA2C
