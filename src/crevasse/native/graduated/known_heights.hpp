// Known heights, which pull single pixels in the linear system.
#pragma once

#include "state.hpp"

namespace crevasse {

// Pulls each pixel to a known height from the next iteration on: by pin (height - known)^2. Row-major images; null
// pins: no longer.
inline void set_pins(State& state, const double* pins, const double* known, Pulse& pulse) {
  Multigrid<float>& grid = state.grid;
  if (!pins) {
    grid.unpin();
    state.known_red = Plane<double>();
    state.known_black = Plane<double>();
    return;
  }
  if (!grid.pinned) {
    grid.pin();
    state.known_red = Plane<double>(grid.layout);
    state.known_black = Plane<double>(grid.layout);
  }
  state.each_row(pulse, [&](int y) {
    state.each_pixel(y, [&](int x) {
      const std::size_t i = state.index(y, x);
      const bool is_red = (x + y) % 2 == 0;
      const float pin = state.is_masked(i) ? static_cast<float>(pins[i]) : 0.0f;
      (is_red ? grid.pin_red : grid.pin_black).row(y)[x / 2] = pin;
      (is_red ? state.known_red : state.known_black).row(y)[x / 2] = known[i];
    });
  });
}

}  // namespace crevasse
