assert scores.abs().max() > 5
