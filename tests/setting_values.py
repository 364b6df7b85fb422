"""Values of settings other than their defaults, for tests that each setting matters."""

AUXILIARY = {
    "reweighting": False,
    "filtering": False,
    "two_pass": False,
    "threshold": 0.1,
    "weighted_by": "residual",
    "filter_unit": 0.1,
    "tangency": "normal",
    "border": "mirror",
    "soft": 0.4,
    "hard": 2.4,
    "sharpness": 10.0,
    "tangency_floor": 0.1,
}
