assert steps[:3] == [4, 4, 7]
