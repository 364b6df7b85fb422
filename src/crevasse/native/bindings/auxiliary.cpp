// Binding of the published method.
#include "../auxiliary/engine.hpp"

#include "common.hpp"

namespace crevasse {

namespace {

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
    const Report r =
        guarded([&] { return engine_->step(filter, first, phase, strength, tolerance, limit, interrupted); });
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
  int threads() const { return engine_->threads(); }

 private:
  std::size_t rows_, columns_;
  std::unique_ptr<Auxiliary> engine_;
};

}  // namespace

void bind_auxiliary(nb::module_& m) {
  nb::class_<PyAuxiliary>(m, "Auxiliary")
      .def(nb::init<Image<const unsigned char>, Image<const double>, Image<const double>, Image<const double>,
                    Image<const double>, int>(),
           "mask"_a, "stiffness"_a, "offsets"_a, "tangency_right"_a, "tangency_down"_a, "threads"_a)
      .def("step", &PyAuxiliary::step, "weight_scale"_a, "filter_scale"_a, "sharpness"_a, "reweighting"_a,
           "filtering"_a, "mirrored"_a, "relative"_a, "first"_a, "phase"_a, "strength"_a, "tolerance"_a, "limit"_a)
      .def("read", &PyAuxiliary::read, "out"_a.noconvert())
      .def("write", &PyAuxiliary::write, "corners"_a)
      .def_prop_ro("threads", &PyAuxiliary::threads);
}

}  // namespace crevasse
