// Python's view of the kernels.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/tuple.h>

#include <tuple>

#include "auxiliary.hpp"
#include "graduated.hpp"
#include "label.hpp"
#include "solver.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace crevasse;

namespace {

template <class T>
using Image = nb::ndarray<T, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
template <class T>
using Vector = nb::ndarray<T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Poll = std::function<bool()>;

// Asks Python whether a signal (Ctrl-C) has come; called on the calling thread only.
bool interrupted() {
  nb::gil_scoped_acquire gil;
  return PyErr_CheckSignals() != 0;
}

template <class F>
auto guarded(F&& work) {
  try {
    nb::gil_scoped_release free;
    return work();
  } catch (const Interrupted&) {
    throw nb::python_error();
  }
}

void require(bool fits, const char* what) {
  if (!fits) throw nb::value_error(what);
}

template <class A>
bool has_shape(const A& a, std::size_t rows, std::size_t columns) {
  return a.shape(0) == rows && a.shape(1) == columns;
}

class PySolver {
 public:
  PySolver(Image<const double> right, Image<const double> down, int threads)
      : right_(right), down_(down), rows_(right.shape(0)), columns_(down.shape(1)) {
    require(rows_ >= 1 && columns_ >= 1 && has_shape(right, rows_, columns_ - 1) && has_shape(down, rows_ - 1, columns_),
            "weights must be (H, W-1) and (H-1, W)");
    guarded([&] {
      solver_ = std::make_unique<Solver>(static_cast<int>(rows_), static_cast<int>(columns_), right.data(), down.data(), threads);
      solver_->load(right_.data(), down_.data(), interrupted);
    });
  }
  void load(Image<const double> right, Image<const double> down) {
    require(has_shape(right, rows_, columns_ - 1) && has_shape(down, rows_ - 1, columns_), "weights changed shape");
    right_ = right;
    down_ = down;
    guarded([&] { solver_->load(right_.data(), down_.data(), interrupted); });
  }
  std::tuple<int, double> solve(Image<const double> side, Image<double> values, double tolerance, int limit) {
    require(has_shape(side, rows_, columns_) && has_shape(values, rows_, columns_), "arrays must be (H, W)");
    const Outcome outcome = guarded([&] { return solver_->solve(side.data(), values.data(), tolerance, limit, interrupted); });
    return {outcome.iterations, outcome.residual};
  }

 private:
  Image<const double> right_, down_;
  std::size_t rows_, columns_;
  std::unique_ptr<Solver> solver_;
};

class PyGraduated {
 public:
  PyGraduated(Image<const double> across, Image<const double> along, Image<const double> cosine,
              Image<const unsigned char> mask, nb::object labels, Vector<const double> noise, nb::object hints,
              double curvature, int threads)
      : rows_(mask.shape(0)), columns_(mask.shape(1)), curvature_(curvature) {
    require(rows_ >= 1 && columns_ >= 1 && rows_ < (1u << 30) && columns_ < (1u << 30), "mask is empty or too large");
    const Slopes slopes = take(across, along, cosine, mask, labels, noise, hints);
    guarded([&] {
      engine_ = std::make_unique<Graduated>(static_cast<int>(rows_), static_cast<int>(columns_), slopes, threads,
                                            interrupted);
    });
  }
  void retarget(Image<const double> across, Image<const double> along, Image<const double> cosine,
                Image<const unsigned char> mask, nb::object labels, Vector<const double> noise, nb::object hints) {
    const Slopes slopes = take(across, along, cosine, mask, labels, noise, hints);
    guarded([&] { alive().retarget(slopes, interrupted); });
  }
  void build_walls(Vector<const std::int64_t> pixels, Vector<const std::int64_t> sources, Vector<const std::int64_t> pairs,
                   Vector<const double> steps) {
    const Walls walls{pixels.data(), sources.data(), pixels.shape(0), pairs.data(), steps.data(), pairs.shape(0)};
    require(sources.shape(0) == walls.count && steps.shape(0) == walls.step_count, "each pixel has a source, each pair a step");
    const std::int64_t area = static_cast<std::int64_t>(rows_ * columns_);
    for (std::size_t i = 0; i < walls.count; ++i)
      require(pixels(i) >= 0 && pixels(i) < area && sources(i) >= 0 && sources(i) < area, "pixels must lie in the map");
    for (std::size_t i = 0; i < walls.step_count; ++i) {
      const std::int64_t first = pairs(i) / 2, width = static_cast<std::int64_t>(columns_);
      require(pairs(i) >= 0 && (pairs(i) % 2 == 1 ? first + width < area : first < area && (first + 1) % width != 0),
              "pairs must lie in the map");
    }
    guarded([&] { alive().build_walls(walls); });
  }
  void begin(float angle, float along, int grazing, float against, float level, float valley, bool keep) {
    guarded([&] { alive().begin({angle, along, grazing, 2.0f, against, level, valley}, keep, interrupted); });
  }
  std::tuple<double, double, int> step(float scale, bool flat, int limit, double tolerance, bool rebuild) {
    const Report r = guarded([&] { return alive().step(scale, flat, limit, tolerance, rebuild, interrupted); });
    return {r.energy, r.change, r.iterations};
  }
  void energies(nb::object labels, Vector<double> out) {
    const int* data = nullptr;
    if (!labels.is_none()) {
      const auto given = nb::cast<Image<const int>>(labels);
      require(has_shape(given, rows_, columns_), "labels must have the shape of the mask");
      data = given.data();
    }
    guarded([&] { alive().energies(data, out.data(), interrupted); });
  }
  void cuts(Image<unsigned char> right, Image<unsigned char> down) {
    require(has_shape(right, rows_, columns_ - 1) && has_shape(down, rows_ - 1, columns_), "cuts must be (H, W-1) and (H-1, W)");
    guarded([&] { alive().cuts(right.data(), down.data(), interrupted); });
  }
  void constants(int which, Image<float> right, Image<float> down) {
    require(has_shape(right, rows_, columns_ - 1) && has_shape(down, rows_ - 1, columns_), "must be (H, W-1) and (H-1, W)");
    guarded([&] { alive().constants(which, right.data(), down.data(), interrupted); });
  }
  void weights(Image<float> right, Image<float> down) {
    require(has_shape(right, rows_, columns_ - 1) && has_shape(down, rows_ - 1, columns_), "must be (H, W-1) and (H-1, W)");
    guarded([&] { alive().weights(right.data(), down.data()); });
  }
  bool dock(int parts, double gain, double distance, int candidates, int moves) {
    return guarded([&] { return alive().dock(parts, {gain, distance, candidates, moves}, interrupted); });
  }
  int islands(double slip, double doubt, double bridge, int size, Image<int> out) {
    require(has_shape(out, rows_, columns_), "islands must have the shape of the mask");
    return guarded([&] { return alive().islands({slip, doubt, bridge, size}, out.data(), interrupted); });
  }
  void read(Image<double> out) const {
    require(has_shape(out, rows_, columns_), "heights must have the shape of the mask");
    guarded([&] { engine_->read(out.data(), interrupted); });
  }
  void write(Image<const double> in) {
    require(has_shape(in, rows_, columns_), "heights must have the shape of the mask");
    guarded([&] { engine_->write(in.data(), interrupted); });
  }
  void release() {
    released_ = true;
    guarded([&] { engine_->release(interrupted); });
  }

 private:
  Graduated& alive() {
    require(!released_, "the engine was released");
    return *engine_;
  }

  Slopes take(Image<const double> across, Image<const double> along, Image<const double> cosine,
              Image<const unsigned char> mask, nb::object labels, Vector<const double> noise, nb::object hints) const {
    require(has_shape(mask, rows_, columns_) && has_shape(across, rows_, columns_) && has_shape(along, rows_, columns_) &&
                has_shape(cosine, rows_, columns_),
            "slopes must have the shape of the mask");
    Slopes slopes{across.data(), along.data(), cosine.data(), mask.data(), nullptr, noise.data(), nullptr, curvature_};
    if (!labels.is_none()) {
      const auto given = nb::cast<Image<const int>>(labels);
      require(has_shape(given, rows_, columns_), "labels must have the shape of the mask");
      slopes.labels = given.data();
    }
    require(noise.shape(0) >= 2, "noise must have an entry per region, from 1");
    if (!hints.is_none()) {
      const auto given = nb::cast<Image<const signed char>>(hints);
      require(has_shape(given, rows_, columns_), "hints must have the shape of the mask");
      slopes.hints = given.data();
    }
    return slopes;
  }

  std::size_t rows_, columns_;
  double curvature_;
  bool released_ = false;
  std::unique_ptr<Graduated> engine_;
};

class PyAuxiliary {
 public:
  PyAuxiliary(Image<const unsigned char> mask, Image<const double> stiffness, Image<const double> offsets,
              Image<const double> tangency_right, Image<const double> tangency_down, int threads)
      : rows_(mask.shape(0)), columns_(mask.shape(1)) {
    require(rows_ >= 1 && columns_ >= 1 && rows_ < (1u << 29) && columns_ < (1u << 29), "mask is empty or too large");
    require(has_shape(stiffness, rows_, columns_), "stiffness must have the shape of the mask");
    require(has_shape(offsets, 2 * rows_, 2 * columns_), "offsets must be (2H, 2W)");
    require(has_shape(tangency_right, rows_, columns_ - 1) && has_shape(tangency_down, rows_ - 1, columns_),
            "tangency must be (H, W-1) and (H-1, W)");
    const Quads quads{mask.data(), stiffness.data(), offsets.data(), tangency_right.data(), tangency_down.data()};
    guarded([&] {
      engine_ = std::make_unique<Auxiliary>(static_cast<int>(rows_), static_cast<int>(columns_), quads, threads);
    });
  }
  std::tuple<double, double, int> step(double weight_scale, double filter_scale, double sharpness, bool reweighting,
                                       bool filtering, bool mirrored, bool relative, bool first, int phase,
                                       double strength, double tolerance, int limit) {
    require(phase >= 0 && phase < PHASES, "phase must be 0 to 3");
    const Filter filter{weight_scale, filter_scale, sharpness, reweighting, filtering, mirrored, relative};
    const Report r = guarded([&] { return engine_->step(filter, first, phase, strength, tolerance, limit, interrupted); });
    return {r.energy, r.change, r.iterations};
  }
  void read(Image<double> out) const {
    require(has_shape(out, 2 * rows_, 2 * columns_), "corners must be (2H, 2W)");
    guarded([&] { engine_->read(out.data()); });
  }
  void write(Image<const double> in) {
    require(has_shape(in, 2 * rows_, 2 * columns_), "corners must be (2H, 2W)");
    guarded([&] { engine_->write(in.data()); });
  }

 private:
  std::size_t rows_, columns_;
  std::unique_ptr<Auxiliary> engine_;
};

int label_parts(Image<const unsigned char> mask, nb::object right, nb::object down, Image<int> out) {
  const std::size_t rows = mask.shape(0), columns = mask.shape(1);
  require(rows * columns < (1u << 31), "mask is too large");
  require(has_shape(out, rows, columns), "labels must have the shape of the mask");
  Cuts cuts{nullptr, nullptr};
  if (!right.is_none() && !down.is_none()) {
    const auto beside = nb::cast<Image<const unsigned char>>(right), below = nb::cast<Image<const unsigned char>>(down);
    require(has_shape(beside, rows, columns - 1) && has_shape(below, rows - 1, columns), "cuts must be (H, W-1) and (H-1, W)");
    cuts = {beside.data(), below.data()};
  }
  return guarded([&] {
    const Poll poll = interrupted;
    Pulse pulse(poll);
    return label(static_cast<std::ptrdiff_t>(rows), static_cast<std::ptrdiff_t>(columns), mask.data(), cuts, out.data(),
                 pulse);
  });
}

}  // namespace

NB_MODULE(CREVASSE_MODULE, m) {
  m.doc() = "Kernels";
  m.def("has_avx2", [] {
#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__))
    return static_cast<bool>(__builtin_cpu_supports("avx2"));
#else
    return false;
#endif
  });
  m.def("label", &label_parts, "mask"_a, "right"_a.none(), "down"_a.none(), "out"_a);
  nb::class_<PySolver>(m, "Solver")
      .def(nb::init<Image<const double>, Image<const double>, int>(), "right"_a, "down"_a, "threads"_a)
      .def("load", &PySolver::load, "right"_a, "down"_a)
      .def("solve", &PySolver::solve, "side"_a, "values"_a, "tolerance"_a, "limit"_a);
  nb::class_<PyGraduated>(m, "Graduated")
      .def(nb::init<Image<const double>, Image<const double>, Image<const double>, Image<const unsigned char>, nb::object,
                    Vector<const double>, nb::object, double, int>(),
           "across"_a, "along"_a, "cosine"_a, "mask"_a, "labels"_a.none(), "noise"_a, "hints"_a.none(), "curvature"_a,
           "threads"_a)
      .def("build_walls", &PyGraduated::build_walls, "pixels"_a, "sources"_a, "pairs"_a, "steps"_a)
      .def("begin", &PyGraduated::begin, "angle"_a, "along"_a, "grazing"_a, "against"_a, "level"_a,
           "valley"_a, "keep"_a)
      .def("retarget", &PyGraduated::retarget, "across"_a, "along"_a, "cosine"_a, "mask"_a, "labels"_a.none(), "noise"_a,
           "hints"_a.none())
      .def("step", &PyGraduated::step, "scale"_a, "flat"_a, "limit"_a, "tolerance"_a, "rebuild"_a)
      .def("energies", &PyGraduated::energies, "labels"_a.none(), "out"_a)
      .def("cuts", &PyGraduated::cuts, "right"_a, "down"_a)
      .def("constants", &PyGraduated::constants, "which"_a, "right"_a, "down"_a)
      .def("weights", &PyGraduated::weights, "right"_a, "down"_a)
      .def("dock", &PyGraduated::dock, "parts"_a, "gain"_a, "distance"_a, "candidates"_a, "moves"_a)
      .def("islands", &PyGraduated::islands, "slip"_a, "doubt"_a, "bridge"_a, "size"_a, "out"_a)
      .def("read", &PyGraduated::read, "out"_a)
      .def("write", &PyGraduated::write, "heights"_a)
      .def("release", &PyGraduated::release);
  nb::class_<PyAuxiliary>(m, "Auxiliary")
      .def(nb::init<Image<const unsigned char>, Image<const double>, Image<const double>, Image<const double>,
                    Image<const double>, int>(),
           "mask"_a, "stiffness"_a, "offsets"_a, "tangency_right"_a, "tangency_down"_a, "threads"_a)
      .def("step", &PyAuxiliary::step, "weight_scale"_a, "filter_scale"_a, "sharpness"_a, "reweighting"_a,
           "filtering"_a, "mirrored"_a, "relative"_a, "first"_a, "phase"_a, "strength"_a, "tolerance"_a,
           "limit"_a)
      .def("read", &PyAuxiliary::read, "out"_a)
      .def("write", &PyAuxiliary::write, "corners"_a);
}
