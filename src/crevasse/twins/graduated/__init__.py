"""The default method in NumPy and SciPy, one file per native routine."""
