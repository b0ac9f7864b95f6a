assert not averaged
