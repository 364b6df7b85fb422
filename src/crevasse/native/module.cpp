#include <nanobind/nanobind.h>
NB_MODULE(CREVASSE_MODULE, m) { m.doc() = "Kernels"; }
