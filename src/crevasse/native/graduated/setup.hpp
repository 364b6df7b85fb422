// Set-up: variances, targets and twists of pairs from the slopes.
#pragma once

#include "state.hpp"

namespace crevasse {

class SetUp {
 public:
  SetUp(State& state, const Slopes& slopes) : state_(state), slopes_(slopes) {}

  // Memory for the images, in pieces.
  void reserve(Pulse& pulse) {
    const std::size_t area = state_.area();
    for (std::vector<float>* image : {&state_.right, &state_.down, &state_.variance}) {
      image->resize(area);
      pulse();
    }
    const float variance = static_cast<float>(slopes_.noise[1] * slopes_.noise[1]);
    state_.noise_variance.resize(slopes_.labels ? area : 1, variance);
  }

  // The slopes that evidence is made of, for the rows of a member.
  void set_slopes(int member) {
    state_.each_row(member, [&](int y) {
      state_.each_pixel(y, [&](int x) {
        const std::size_t i = state_.index(y, x);
        const double noise = slopes_.noise_at(i);
        state_.right[i] = static_cast<float>(right(i));
        state_.down[i] = static_cast<float>(down(i));
        if (slopes_.labels) state_.noise_variance[i] = static_cast<float>(noise * noise);
      });
    });
  }

  // Everything about pairs but their evidence, for the rows of a member.
  void set_pairs(int member) {
    state_.each_row(member, [&](int y) { state_.each_pixel(y, [&](int x) { set_variance(y, x); }); });
    state_.team.barrier();
    Tilts even(state_.columns), odd(state_.columns);
    state_.each_row(member, [&](int y) { set_row(y, y % 2 == 0 ? even : odd, y % 2 == 0 ? odd : even); });
  }

  // Target, twist and variance of one pair from the corners of both pixels' planes.
  static void relate(Pairs& pairs, int y, int j, float variance, const Tilt& here, const Tilt& there, bool below) {
    const double first = (below ? here.lower_left : here.upper_right) - there.upper_left;
    const double second = here.lower_right - (below ? there.upper_right : there.lower_left);
    pairs.target(y, j) = (first + second) / 2;
    pairs.twist(y, j) = static_cast<float>((first - second) / 2);
    const float dr = static_cast<float>(there.right - here.right), dd = static_cast<float>(there.down - here.down);
    pairs.variance(y, j) = variance + square(CURVATURE) * (square(dr) + square(dd));
  }

 private:
  double clamped(std::size_t i) const { return std::fmax(slopes_.cosine[i], state_.constants.grazing); }
  double right(std::size_t i) const { return slopes_.across[i] / clamped(i); }
  double down(std::size_t i) const { return slopes_.along[i] / clamped(i); }

  void set_variance(int y, int x) {
    const std::size_t i = state_.index(y, x);
    const double noise = slopes_.noise_at(i), c = smooth_cosine(y, x, noise), steep = 1 / (c * c);
    const double least = std::fmax(noise, state_.constants.noise_floor);
    state_.variance[i] = slopes_.mask[i] ? static_cast<float>(0.5 * least * least * steep * steep) : 0.0f;
  }

  // The clamped cosine of a pixel, moved towards the mean of its window by as much as noise explains their difference.
  // Weights that followed a pixel's own noise would prefer pixels that noise has made flatter, and flatten the surface.
  double smooth_cosine(int y, int x, double noise) const {
    const double own = clamped(state_.index(y, x));
    if (noise < state_.constants.noisy || !slopes_.mask[state_.index(y, x)]) return own;
    const int window = state_.constants.window;
    double count = 0, sum = 0, squares = 0;
    for (int v = std::max(y - window, 0); v <= std::min(y + window, state_.rows - 1); ++v)
      for (int u = std::max(x - window, 0); u <= std::min(x + window, state_.columns - 1); ++u) {
        const std::size_t i = state_.index(v, u);
        const double inside = slopes_.mask[i] ? 1.0 : 0.0, away = inside * (clamped(i) - own);
        count += inside;
        sum += away;
        squares += away * away;
      }
    const double mean = sum / count, variance = squares / count - mean * mean;
    const double level = own + mean, expected = noise * noise * (std::fmax(1 - level * level, 0.0) + noise * noise);
    return own + mean * std::fmin(1.0, TRUST * expected / (variance + 1e-12));
  }

  // Slopes and corners of the pixels of row y.
  void tilt(int y, Tilts& out) const {
    if (out.row == y || y >= state_.rows) return;
    out.row = y;
    state_.each_pixel(y, [&](int x) { out.pixels[static_cast<std::size_t>(x)] = tilt_at(state_.index(y, x)); });
  }

  Tilt tilt_at(std::size_t i) const {
    if (!slopes_.offsets) return state_.planes.plane(right(i), down(i));
    // Outside the mask offsets may be anything; products of weight 0 must be finite.
    if (!slopes_.mask[i]) return {};
    return tilt_with(slopes_.offsets, state_.area(), i, right(i), down(i));
  }

  void set_pair(Pairs& pairs, int y, int j, std::size_t a, std::size_t b, const Tilt& here, const Tilt& there,
                bool below) {
    relate(pairs, y, j, state_.variance[a] + state_.variance[b], here, there, below);
    const signed char* hints = slopes_.hints;
    const bool pair = slopes_.mask[a] && slopes_.mask[b] && !(hints && forces_jump(hints[a], hints[b]));
    if (!pair) pairs.variance(y, j) = -1.0f;
    // A pair inside an area marked -1 is held: it never loses weight.
    if (hints) pairs.crease(y, j) = pair && hints[a] < 0 && hints[b] < 0 ? -1.0f : 1.0f;
  }

  void set_row(int y, Tilts& here, Tilts& next) {
    tilt(y, here);
    tilt(y + 1, next);
    PairFamilies& pairs = state_.pairs;
    const std::size_t width = static_cast<std::size_t>(state_.columns);
    for (const Segment* s = state_.grid.spans.begin(y); s != state_.grid.spans.end(y); ++s)
      for (int j = s->begin; j < s->end; ++j) {
        pairs.inner.variance(y, j) = pairs.outer.variance(y, j) = -1.0f;
        pairs.down_red.variance(y, j) = pairs.down_black.variance(y, j) = -1.0f;
        const int x = 2 * j;
        if (x >= state_.columns) continue;
        const bool has_right = x + 1 < state_.columns;
        const std::size_t i = state_.index(y, x);
        const Tilt* pixel = here.pixels.data() + x;
        if (has_right) set_pair(pairs.inner, y, j, i, i + 1, pixel[0], pixel[1], false);
        if (x > 0) set_pair(pairs.outer, y, j, i - 1, i, pixel[-1], pixel[0], false);
        if (y + 1 >= state_.rows) continue;
        const Tilt* below = next.pixels.data() + x;
        set_pair(pairs.down_even(y), y, j, i, i + width, pixel[0], below[0], true);
        if (has_right) set_pair(pairs.down_odd(y), y, j, i + 1, i + 1 + width, pixel[1], below[1], true);
      }
  }

  State& state_;
  const Slopes& slopes_;
};

}  // namespace crevasse
