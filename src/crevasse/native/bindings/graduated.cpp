// Binding of the engine of the graduated method.
#include "graduated.hpp"

namespace crevasse {

namespace {

using Block = Pairs::Block;
using Pixels = Vector<const std::int64_t>;

void bind_constants(nb::module_& m) {
  nb::enum_<Weighting>(m, "Weighting")
      .value("FLAT", Weighting::FLAT)
      .value("ANNEALED", Weighting::ANNEALED)
      .value("REDESCENDING", Weighting::REDESCENDING)
      .value("SETTLED", Weighting::SETTLED)
      .value("FROZEN", Weighting::FROZEN);
  nb::class_<EngineConstants>(m, "EngineConstants")
      .def(
          "__init__",
          [](EngineConstants* self, double grazing, double noisy, int window, double noise_floor, double outlier,
             double most_rise) { new (self) EngineConstants{grazing, noisy, window, noise_floor, outlier, most_rise}; },
          "grazing"_a, "noisy"_a, "window"_a, "noise_floor"_a, "outlier"_a, "most_rise"_a)
      .def_ro("grazing", &EngineConstants::grazing)
      .def_ro("noisy", &EngineConstants::noisy)
      .def_ro("window", &EngineConstants::window)
      .def_ro("noise_floor", &EngineConstants::noise_floor)
      .def_ro("outlier", &EngineConstants::outlier)
      .def_ro("most_rise", &EngineConstants::most_rise);
}

// A method that fills two images with a value of each pair.
template <class Value>
auto getter(Value value) {
  return [value](PyEngine& engine, Image<float> right, Image<float> down) { engine.pair_values(value, right, down); };
}

template <class Class>
void bind_getters(Class& engine) {
  const auto def = [&](const char* name, auto value) {
    engine.def(name, getter(value), "right"_a.noconvert(), "down"_a.noconvert());
  };
  def("targets", [](const Block& b, std::size_t l) { return b.target[l]; });
  def("twists", [](const Block& b, std::size_t l) { return b.twist[l]; });
  def("variances", [](const Block& b, std::size_t l) { return b.variance[l]; });
  def("creases", [](const Block& b, std::size_t l) { return b.crease[l]; });
  def("doubts_ahead", [](const Block& b, std::size_t l) { return b.ahead[l]; });
  def("doubts_behind", [](const Block& b, std::size_t l) { return b.behind[l]; });
}

template <class Class>
void bind_slopes(Class& engine) {
  engine
      .def(
          "__init__",
          [](PyEngine* self, Image<const double> across, Image<const double> along, Image<const double> cosine,
             Image<const unsigned char> mask, std::optional<Image<const int>> labels, Vector<const double> noise,
             std::optional<Image<const signed char>> hints, std::optional<Volume<const double>> offsets,
             double curvature, const EngineConstants& constants, int threads) {
            new (self)
                PyEngine({across, along, cosine, mask, labels, noise, hints, offsets}, curvature, constants, threads);
          },
          "across"_a, "along"_a, "cosine"_a, "mask"_a, "labels"_a.none(), "noise"_a, "hints"_a.none(),
          "offsets"_a.none(), "curvature"_a, "constants"_a, "threads"_a)
      .def(
          "set_slopes",
          [](PyEngine& self, Image<const double> across, Image<const double> along, Image<const double> cosine,
             Image<const unsigned char> mask, std::optional<Image<const int>> labels, Vector<const double> noise,
             std::optional<Image<const signed char>> hints, std::optional<Volume<const double>> offsets) {
            self.set_slopes({across, along, cosine, mask, labels, noise, hints, offsets});
          },
          "across"_a, "along"_a, "cosine"_a, "mask"_a, "labels"_a.none(), "noise"_a, "hints"_a.none(),
          "offsets"_a.none());
}

}  // namespace

void bind_graduated(nb::module_& m) {
  bind_constants(m);
  nb::class_<PyEngine> engine(m, "GraduatedEngine");
  bind_slopes(engine);
  bind_getters(engine);
  engine.def_prop_ro("threads", &PyEngine::threads)
      .def("set_evidence", &PyEngine::set_evidence, "angle"_a, "along"_a, "grazing"_a, "against"_a, "level"_a,
           "valley"_a)
      .def("add_spanning", &PyEngine::add_spanning, "pixels"_a, "sources"_a, "pairs"_a, "steps"_a, "offsets"_a.none())
      .def("slopes", &PyEngine::slopes, "right"_a.noconvert(), "down"_a.noconvert())
      .def("iterate", &PyEngine::iterate, "weighting"_a, "scale"_a, "solver_iterations"_a, "tolerance"_a, "rebuild"_a,
           "low"_a, "high"_a)
      .def("energies", &PyEngine::energies, "labels"_a.none(), "out"_a.noconvert())
      .def("cuts", &PyEngine::cuts, "right"_a.noconvert(), "down"_a.noconvert())
      .def("weights", &PyEngine::weights, "right"_a.noconvert(), "down"_a.noconvert())
      .def("move_parts", &PyEngine::move_parts, "parts"_a, "gain"_a, "distance"_a, "candidates"_a, "moves"_a,
           "given"_a = nb::none())
      .def("set_pins", &PyEngine::set_pins, "pins"_a.none(), "known"_a.none())
      .def("parts", &PyEngine::parts, "limit"_a, "out"_a.noconvert())
      .def("islands", &PyEngine::islands, "slip"_a, "doubt"_a, "bridge"_a, "size"_a, "out"_a.noconvert())
      .def("read", &PyEngine::read, "out"_a.noconvert())
      .def("write", &PyEngine::write, "heights"_a)
      .def("clear", &PyEngine::clear)
      .def("release", &PyEngine::release);
}

}  // namespace crevasse
