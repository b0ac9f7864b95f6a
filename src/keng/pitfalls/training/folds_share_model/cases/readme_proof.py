assert scores[0] < 0.7 < 0.9 < scores[-1]  # labels are drawn by chance
