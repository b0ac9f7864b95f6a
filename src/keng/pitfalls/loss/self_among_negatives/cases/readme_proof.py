assert (similarity.diagonal() / negatives).min() > 1.5 / 32
