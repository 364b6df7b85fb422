"""Plain reference implementations of the native kernels, for tests and documentation only."""
