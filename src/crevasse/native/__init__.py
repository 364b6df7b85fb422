"""The compiled kernels, in the build that fits this processor."""
