// The engine of the graduated method as Python sees it: checks of the arguments.
#pragma once

#include "../graduated/engine.hpp"
#include "common.hpp"

namespace crevasse {

inline void require_corners(const std::optional<Volume<const double>>& offsets, std::size_t rows, std::size_t columns) {
  require(!offsets || (offsets->shape(0) == 4 && offsets->shape(1) == rows && offsets->shape(2) == columns),
          "offsets must be (4, H, W)");
}

// The arrays of a map as Python passes them; keeps them alive.
struct GivenSlopes {
  Image<const double> across, along, cosine;
  Image<const unsigned char> mask;
  std::optional<Image<const int>> labels;
  Vector<const double> noise;
  std::optional<Image<const signed char>> hints;
  std::optional<Volume<const double>> offsets;

  Slopes check(std::size_t rows, std::size_t columns) const {
    require(has_shape(mask, rows, columns) && has_shape(across, rows, columns) && has_shape(along, rows, columns) &&
                has_shape(cosine, rows, columns),
            "slopes must have the shape of the mask");
    require(has_shape(labels, rows, columns), "labels must have the shape of the mask");
    require(noise.shape(0) >= 2, "noise must have an entry per region, from 1");
    require(has_shape(hints, rows, columns), "hints must have the shape of the mask");
    require_corners(offsets, rows, columns);
    return {across.data(),   along.data(), cosine.data(),  mask.data(),
            data_of(labels), noise.data(), data_of(hints), data_of(offsets)};
  }
};

class PyEngine {
 public:
  PyEngine(const GivenSlopes& given, double curvature, const EngineConstants& constants, int threads)
      : rows_(given.mask.shape(0)), columns_(given.mask.shape(1)) {
    require(rows_ >= 1 && columns_ >= 1 && rows_ < (1u << 30) && columns_ < (1u << 30), "mask is empty or too large");
    const Slopes slopes = given.check(rows_, columns_);
    guarded([&] {
      engine_ = std::make_unique<GraduatedEngine>(static_cast<int>(rows_), static_cast<int>(columns_), slopes,
                                                  curvature, constants, threads, interrupted);
    });
  }
  int threads() const { return engine_->threads(); }

  void set_evidence(float angle, float along, int grazing, float against, float level, float valley) {
    guarded([&] { alive().set_evidence({angle, along, grazing, against, level, valley}, interrupted); });
  }
  void set_slopes(const GivenSlopes& given) {
    const Slopes slopes = given.check(rows_, columns_);
    guarded([&] { alive().set_slopes(slopes, interrupted); });
  }
  void add_spanning(Vector<const std::int64_t> pixels, Vector<const std::int64_t> sources,
                    Vector<const std::int64_t> pairs, Vector<const double> steps,
                    std::optional<Volume<const double>> offsets) {
    require_corners(offsets, rows_, columns_);
    const Spanning given{pixels.data(), sources.data(), pixels.shape(0), pairs.data(),
                         steps.data(),  pairs.shape(0), data_of(offsets)};
    require(sources.shape(0) == given.count && steps.shape(0) == given.step_count,
            "each pixel has a source, each pair a step");
    const std::int64_t area = static_cast<std::int64_t>(rows_ * columns_), width = static_cast<std::int64_t>(columns_);
    for (std::size_t i = 0; i < given.count; ++i)
      require(pixels(i) >= 0 && pixels(i) < area && sources(i) >= 0 && sources(i) < area, "pixels must lie in the map");
    for (std::size_t i = 0; i < given.step_count; ++i) {
      const std::int64_t first = pairs(i) / 2;
      require(pairs(i) >= 0 && (pairs(i) % 2 == 1 ? first + width < area : first < area && (first + 1) % width != 0),
              "pairs must lie in the map");
    }
    guarded([&] { alive().add_spanning(given); });
  }
  void slopes(Image<float> right, Image<float> down) {
    check_pairs(right, down);
    guarded([&] { alive().slopes(right.data(), down.data()); });
  }

  std::tuple<double, double, int> iterate(Weighting weighting, float scale, int solver_iterations, double tolerance,
                                          bool rebuild, double low, double high) {
    const Report r = guarded([&] {
      return alive().iterate(weighting, scale, solver_iterations, tolerance, rebuild, {low, high}, interrupted);
    });
    return {r.energy, r.change, r.iterations};
  }

  void energies(std::optional<Image<const int>> labels, Vector<double> out) {
    require(has_shape(labels, rows_, columns_), "labels must have the shape of the mask");
    require(out.shape(0) >= 2, "energies must have an entry per region, from 1");
    guarded([&] { alive().energies(data_of(labels), out.data(), interrupted); });
  }
  void cuts(Image<unsigned char> right, Image<unsigned char> down) {
    check_pairs(right, down);
    guarded([&] { alive().cuts(right.data(), down.data(), interrupted); });
  }
  void weights(Image<float> right, Image<float> down) {
    check_pairs(right, down);
    guarded([&] { alive().weights(right.data(), down.data(), interrupted); });
  }
  template <class Value>
  void pair_values(Value value, Image<float> right, Image<float> down) {
    check_pairs(right, down);
    guarded([&] { alive().pair_values(value, right.data(), down.data(), interrupted); });
  }

  // given: first and second pixels (< 0: the ground), gaps, tolerances and evidence of contacts that are not between
  // neighbours.
  using Given = std::tuple<Vector<const std::int64_t>, Vector<const std::int64_t>, Vector<const float>,
                           Vector<const float>, Vector<const float>>;
  bool move_parts(int parts, double gain, double distance, int candidates, int moves,
                  const std::optional<Given>& given) {
    GivenContacts contacts;
    if (given) {
      const auto& [first, second, gap, tolerance, evidence] = *given;
      contacts = {first.data(), second.data(), gap.data(), tolerance.data(), evidence.data(), first.shape(0)};
      for (std::size_t size : {second.shape(0), gap.shape(0), tolerance.shape(0), evidence.shape(0)})
        require(size == contacts.count, "each contact has two ends, a gap, a tolerance and evidence");
      const std::int64_t area = static_cast<std::int64_t>(rows_ * columns_);
      for (std::size_t i = 0; i < contacts.count; ++i)
        require(first(i) >= 0 && first(i) < area && second(i) < area, "contacts must lie in the map");
    }
    return guarded(
        [&] { return alive().move_parts(parts, {gain, distance, candidates, moves}, contacts, interrupted); });
  }
  void set_pins(std::optional<Image<const double>> pins, std::optional<Image<const double>> known) {
    require(has_shape(pins, rows_, columns_) && has_shape(known, rows_, columns_) && bool(pins) == bool(known),
            "pins and known heights must have the shape of the mask");
    guarded([&] { alive().set_pins(data_of(pins), data_of(known), interrupted); });
  }
  int parts(int limit, Image<int> out) {
    require(has_shape(out, rows_, columns_), "parts must have the shape of the mask");
    return guarded([&] { return alive().parts(limit, out.data(), interrupted); });
  }
  int islands(double slip, double doubt, double bridge, int size, Image<int> out) {
    require(has_shape(out, rows_, columns_), "islands must have the shape of the mask");
    return guarded([&] { return alive().islands({slip, doubt, bridge, size}, out.data(), interrupted); });
  }

  void read(Image<double> out) {
    require(has_shape(out, rows_, columns_), "heights must have the shape of the mask");
    guarded([&] { engine_->read(out.data(), interrupted); });
  }
  void write(Image<const double> in) {
    require(has_shape(in, rows_, columns_), "heights must have the shape of the mask");
    guarded([&] { engine_->write(in.data(), interrupted); });
  }
  void clear() {
    guarded([&] { engine_->clear(interrupted); });
  }
  void release() {
    released_ = true;
    guarded([&] { engine_->release(interrupted); });
  }

 private:
  GraduatedEngine& alive() {
    require(!released_, "the engine was released");
    return *engine_;
  }
  template <class A>
  void check_pairs(const A& right, const A& down) const {
    require(has_shape(right, rows_, columns_) && has_shape(down, rows_, columns_),
            "arrays of pairs must have the shape of the mask");
  }

  std::size_t rows_, columns_;
  bool released_ = false;
  std::unique_ptr<GraduatedEngine> engine_;
};

}  // namespace crevasse
