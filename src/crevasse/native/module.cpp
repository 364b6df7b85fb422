// The compiled kernels as a Python module.
#include "bindings/common.hpp"

NB_MODULE(CREVASSE_MODULE, m) {
  m.doc() = "Kernels";
  m.def("has_avx2", [] {
#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__))
    return static_cast<bool>(__builtin_cpu_supports("avx2"));
#else
    return false;
#endif
  });
  crevasse::bind_graphs(m);
  crevasse::bind_solver(m);
  crevasse::bind_graduated(m);
  crevasse::bind_auxiliary(m);
}
