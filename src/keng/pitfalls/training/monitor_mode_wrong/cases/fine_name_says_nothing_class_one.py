# a name that says nothing; a class of the program with the same name
class EarlyStopping:
    def __init__(self, monitor, patience):
        self.monitor, self.patience = monitor, patience


stop = EarlyStopping("val_acc", patience=3)
