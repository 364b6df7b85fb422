// Array types, checks and signals that all bindings share.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>

#include <memory>
#include <optional>
#include <tuple>

#include "../threads/pulse.hpp"

namespace crevasse {

namespace nb = nanobind;
using namespace nb::literals;

template <class T>
using Volume = nb::ndarray<T, nb::ndim<3>, nb::c_contig, nb::device::cpu>;
template <class T>
using Image = nb::ndarray<T, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
template <class T>
using Vector = nb::ndarray<T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// Asks Python whether a signal (Ctrl-C) has arrived; called on the calling thread only.
inline bool interrupted() {
  nb::gil_scoped_acquire gil;
  return PyErr_CheckSignals() != 0;
}

// Runs work without the GIL; a signal that stopped it becomes Python's exception.
template <class F>
auto guarded(F&& work) {
  try {
    nb::gil_scoped_release free;
    return work();
  } catch (const Interrupted&) {
    throw nb::python_error();
  }
}

inline void require(bool fits, const char* what) {
  if (!fits) throw nb::value_error(what);
}

template <class A>
bool has_shape(const A& a, std::size_t rows, std::size_t columns) {
  return a.shape(0) == rows && a.shape(1) == columns;
}
template <class A>
bool has_shape(const std::optional<A>& a, std::size_t rows, std::size_t columns) {
  return !a || has_shape(*a, rows, columns);
}

// The data of an array that may be missing.
template <class A>
auto data_of(const std::optional<A>& a) {
  return a ? a->data() : nullptr;
}

void bind_graphs(nb::module_& m);
void bind_solver(nb::module_& m);
void bind_graduated(nb::module_& m);
void bind_auxiliary(nb::module_& m);

}  // namespace crevasse
