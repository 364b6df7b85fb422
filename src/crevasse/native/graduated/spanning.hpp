// Spanning pixels: pixels that span a jump and encode its height.
//
// Each spanning pixel joins one side of its jump and takes the plane of a pixel there; the height that it encodes
// becomes a known step of a pair.
#pragma once

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <vector>

#include "setup.hpp"
#include "state.hpp"

namespace crevasse {

// Pixels are row-major indices; a pair is twice its first pixel, plus 1 if it goes down.
struct Spanning {
  const std::int64_t* pixels;
  const std::int64_t* sources;  // whose planes they take
  std::size_t count;
  const std::int64_t* pairs;
  const double* steps;  // pixels by which the second pixel lies farther back than the slopes predict
  std::size_t step_count;
  const double* offsets;  // as in Slopes, of the planes that pixels have now; null: see PlaneRule
};

// A pair of a spanning pixel. Without a known step, all that is known is that its pixels may lie on different sides.
struct SpanningPair {
  int y, x;
  bool down, known;
  double step;
};

class SpanningPairs {
 public:
  // Gives spanning pixels the planes of their sources, and puts the steps into the targets. Heights stay as they are.
  void add(State& state, const Spanning& given) {
    copy_planes(state, given);
    list_.clear();
    for (std::size_t i = 0; i < given.count; ++i) {
      const int y = static_cast<int>(given.pixels[i] / state.columns),
                x = static_cast<int>(given.pixels[i] % state.columns);
      if (x > 0) loosen(state, given.offsets, y, x - 1, false);
      if (x + 1 < state.columns) loosen(state, given.offsets, y, x, false);
      if (y > 0) loosen(state, given.offsets, y - 1, x, true);
      if (y + 1 < state.rows) loosen(state, given.offsets, y, x, true);
    }
    for (std::size_t i = 0; i < given.step_count; ++i) {
      const std::int64_t pixel = given.pairs[i] / 2;
      const int y = static_cast<int>(pixel / state.columns), x = static_cast<int>(pixel % state.columns);
      const bool down = given.pairs[i] % 2 == 1;
      if (state.is_pair(y, x, down)) list_.push_back({y, x, down, true, given.steps[i]});
    }
    std::sort(list_.begin(), list_.end(), [](const SpanningPair& a, const SpanningPair& b) {
      return std::tie(a.y, a.x, a.down, a.known) < std::tie(b.y, b.x, b.down, b.known);
    });
    for (const SpanningPair& pair : list_)
      if (pair.known) set_step(state, pair);
  }

  void clear() { list_.clear(); }

  // Calls work for the pairs of row y.
  template <class Work>
  void each(int y, Work work) const {
    const auto before = [](const SpanningPair& pair, int row) { return pair.y < row; };
    for (auto pair = std::lower_bound(list_.begin(), list_.end(), y, before); pair != list_.end() && pair->y == y;
         ++pair)
      work(*pair);
  }

  // Replaces the evidence of a pair: the normal of a spanning pixel belongs to no surface.
  static void set_evidence(State& state, const SpanningPair& pair) {
    Pairs& pairs = state.pairs.of(pair.y, pair.x, pair.down);
    const int j = PairFamilies::half_column(pair.x, pair.down);
    if (pair.known) pairs.crease(pair.y, j) = 1.0f;
    pairs.ahead(pair.y, j) = pairs.behind(pair.y, j) = pair.known ? STEP_DOUBT : 1.0f;
  }

 private:
  // Reads all sources before it writes: a source may be a spanning pixel itself.
  static void copy_planes(State& state, const Spanning& given) {
    std::vector<float> planes;
    for (std::size_t i = 0; i < given.count; ++i)
      for (const std::vector<float>* image : {&state.right, &state.down, &state.variance})
        planes.push_back((*image)[static_cast<std::size_t>(given.sources[i])]);
    const float* plane = planes.data();
    for (std::size_t i = 0; i < given.count; ++i)
      for (std::vector<float>* image : {&state.right, &state.down, &state.variance})
        (*image)[static_cast<std::size_t>(given.pixels[i])] = *plane++;
  }

  // Sets up a pair again from the planes that its pixels have now.
  void loosen(State& state, const double* offsets, int y, int x, bool down) {
    if (!state.is_pair(y, x, down)) return;
    list_.push_back({y, x, down, false, 0.0});
    const std::size_t a = state.index(y, x), b = down ? state.index(y + 1, x) : a + 1;
    const auto plane = [&](std::size_t i) {
      const double right = static_cast<double>(state.right[i]), below = static_cast<double>(state.down[i]);
      return offsets ? tilt_with(offsets, state.area(), i, right, below) : state.planes.plane(right, below);
    };
    SetUp::relate(state.pairs.of(y, x, down), y, PairFamilies::half_column(x, down),
                  state.variance[a] + state.variance[b], plane(a), plane(b), down);
  }

  static void set_step(State& state, const SpanningPair& pair) {
    Pairs& pairs = state.pairs.of(pair.y, pair.x, pair.down);
    const int j = PairFamilies::half_column(pair.x, pair.down);
    const float step = static_cast<float>(pair.step);
    pairs.target(pair.y, j) += pair.step;
    if (pair.step != 0.0) pairs.variance(pair.y, j) += square(STEP_SHARE * step) + square(STEP_ERROR);
  }

  std::vector<SpanningPair> list_;  // by rows
};

}  // namespace crevasse
