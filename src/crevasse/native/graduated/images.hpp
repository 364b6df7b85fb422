// Row-major images of heights and of values of pairs.
#pragma once

#include "state.hpp"

namespace crevasse {

// The heights; 0 where nothing is masked.
inline void read_heights(State& state, double* out, Pulse& pulse) {
  const int columns = state.columns;
  state.each_row(pulse, [&](int y) {
    In<double> even = state.even_row(y), odd = state.odd_row(y);
    Out<double> to = out + state.index(y, 0);
    std::fill(to, to + columns, 0.0);
    for (const Segment* s = state.grid.spans.begin(y); s != state.grid.spans.end(y); ++s) {
      for (int j = s->begin; j < std::min(s->end, columns / 2); ++j) {
        to[2 * j] = even[j];
        to[2 * j + 1] = odd[j];
      }
      if (columns % 2 == 1 && s->end > columns / 2) to[columns - 1] = even[columns / 2];
    }
  });
}

inline void write_heights(State& state, const double* in, Pulse& pulse) {
  const int columns = state.columns;
  state.each_row(pulse, [&](int y) {
    Out<double> even = state.even_row(y), odd = state.odd_row(y);
    In<double> from = in + state.index(y, 0);
    for (const Segment* s = state.grid.spans.begin(y); s != state.grid.spans.end(y); ++s) {
      for (int j = s->begin; j < std::min(s->end, columns / 2); ++j) {
        even[j] = from[2 * j];
        odd[j] = from[2 * j + 1];
      }
      if (columns % 2 == 1 && s->end > columns / 2) even[columns / 2] = from[columns - 1];
    }
  });
}

inline void clear_heights(State& state, int y) {
  for (const Segment* s = state.grid.spans.begin(y); s != state.grid.spans.end(y); ++s)
    for (Plane<double>* heights : {&state.red, &state.black})
      std::fill(heights->row(y) + s->begin, heights->row(y) + s->end, 0.0);
}

// value(pairs, weights, y, j) of the pair of each pixel with the one right of it and below it, (rows, columns) each; 0
// where nothing is masked, and in the last column and row.
template <class Value>
void read_pairs(State& state, float* right, float* down, Value value, Pulse& pulse) {
  const int rows = state.rows, columns = state.columns;
  const PairFamilies& pairs = state.pairs;
  const Multigrid<float>& grid = state.grid;
  state.each_row(pulse, [&](int y) {
    const bool even_row = y % 2 == 0;
    float* beside = right + state.index(y, 0);
    float* below = down + state.index(y, 0);
    std::fill_n(beside, columns, 0.0f);
    std::fill_n(below, columns, 0.0f);
    for (const Segment* s = grid.spans.begin(y); s != grid.spans.end(y); ++s)
      for (int j = s->begin; j < std::min(s->end, grid.layout.half); ++j) {
        const int x = 2 * j;
        const float red = value(pairs.down_red, grid.down_red, y, j),
                    black = value(pairs.down_black, grid.down_black, y, j);
        if (x > 0) beside[x - 1] = value(pairs.outer, grid.outer, y, j);
        if (x + 1 < columns) beside[x] = value(pairs.inner, grid.inner, y, j);
        if (y + 1 == rows) continue;
        below[x] = even_row ? red : black;
        if (x + 1 < columns) below[x + 1] = even_row ? black : red;
      }
  });
}

}  // namespace crevasse
