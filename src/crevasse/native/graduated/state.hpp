// The state of the graduated method: heights, pairs and slopes of a map.
#pragma once

#include <algorithm>
#include <vector>

#include "../multigrid/multigrid.hpp"
#include "pairs.hpp"
#include "slopes.hpp"

namespace crevasse {

struct State {
  int rows, columns;
  EngineConstants constants;
  PlaneRule planes;
  float outlier;  // squared standard deviations from which a jump is an outlier
  Team team;
  Multigrid<float> grid;
  PairFamilies pairs;
  Plane<double> red, black;              // heights, by the colour of the pixel
  Plane<double> known_red, known_black;  // heights that the grid's pins pull to; only if it is pinned
  std::vector<float> right, down;        // slopes that evidence is made of, row-major
  std::vector<float> variance;           // of the rise within half a pixel, row-major; 0 outside the mask
  std::vector<float> noise_variance;     // per pixel, or one entry for all
  bool has_hints = false;

  State(int rows_, int columns_, const unsigned char* mask, double curvature, const EngineConstants& constants_,
        int threads)
      : rows(rows_), columns(columns_), constants(constants_), planes{curvature, constants_.most_rise},
        outlier(static_cast<float>(constants_.outlier * constants_.outlier)), team(threads),
        grid(
            rows, columns, [&](int y, int x) { return mask[pixel_index(y, x, columns_)] != 0; }, team, true),
        pairs(grid.layout), red(grid.layout), black(grid.layout) {}

  std::size_t area() const { return static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns); }
  std::size_t index(int y, int x) const { return pixel_index(y, x, columns); }

  // Heights of the pixels in even and in odd columns of row y.
  double* even_row(int y) { return (y % 2 == 0 ? red : black).row(y); }
  double* odd_row(int y) { return (y % 2 == 0 ? black : red).row(y); }
  double& height(int y, int x) { return ((x + y) % 2 == 0 ? red : black).row(y)[x / 2]; }

  bool is_masked(std::size_t i) const { return variance[i] > 0.0f; }

  // Whether pixel (y, x) and the one right of or below it, which must be in the map, are both masked.
  bool are_masked(int y, int x, bool below) const {
    return is_masked(index(y, x)) && is_masked(below ? index(y + 1, x) : index(y, x + 1));
  }
  // Whether they are a pair: hints may separate masked pixels. Outside the mask rows may be packed, and hold others.
  bool is_pair(int y, int x, bool below) {
    return are_masked(y, x, below) && pairs.of(y, x, below).variance(y, PairFamilies::half_column(x, below)) >= 0.0f;
  }

  // Calls work for the columns of row y that lie in blocks in use.
  template <class Work>
  void each_pixel(int y, Work work) const {
    for (const Segment* s = grid.spans.begin(y); s != grid.spans.end(y); ++s)
      for (int x = 2 * s->begin; x < std::min(2 * s->end, columns); ++x) work(x);
  }

  // Calls work(y) for all rows of a member's share.
  template <class Work>
  void each_row(int member, Work work) {
    for (int y = grid.first(member); y < grid.last(member); ++y) {
      if (y % ROWS_PER_PULSE == 0) team.tick(member);
      work(y);
    }
  }

  // Calls work(y) for all rows, on the calling thread.
  template <class Work>
  void each_row(Pulse& pulse, Work work) const {
    for (int y = 0; y < rows; ++y) {
      if (y % ROWS_PER_PULSE == 0) pulse();
      work(y);
    }
  }
};

}  // namespace crevasse
