"""A small neural network that estimates double-dummy tricks without solving.

Its page is docs/explanation/trick-model.md.

`training` has the rule by which solved deals train, calibrate or test the model, `network` computes the
network, `predictions` makes expected tricks and chances of it. Estimates are never a result by themselves:
they make studies cheaper, whose results are always corrected by solved deals.
"""
