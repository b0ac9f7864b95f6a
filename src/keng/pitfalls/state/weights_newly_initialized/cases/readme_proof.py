assert not first.classifier.weight.equal(again.classifier.weight)
