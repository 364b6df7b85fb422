// The grid of corners of the published method: heights, targets and weights of its edges.
//
// There are four corners per pixel. They form a grid of twice the rows and columns. In the layout of the multigrid half
// column j is pixel column j: its two corners of a row are joined by a pixel edge (inner), those of neighbouring pixels
// by an auxiliary edge (outer); downwards, edges that begin in an even row are pixel edges, the others auxiliary ones.
#pragma once

#include <vector>

#include "../multigrid/multigrid.hpp"

namespace crevasse {

// Input per pixel and per pair of neighbours, row-major.
struct Quads {
  const unsigned char* mask;     // (H, W)
  const double* stiffness;       // (H, W): n_z^2
  const double* offsets;         // (2H, 2W): heights of the corners over the pixel's centre
  const double* tangency_right;  // (H, W - 1)
  const double* tangency_down;   // (H - 1, W)
};

struct Corners {
  int rows, columns;  // of corners
  Team team;
  Multigrid<float> grid;
  Plane<double> even, odd;                          // heights in even and odd columns
  Plane<double> inner, outer, down_even, down_odd;  // targets of the edges
  Plane<float> beside, below;                       // tangency of auxiliary edges; < 0: not an edge

  Corners(int pixel_rows, int pixel_columns, const Quads& quads, int threads)
      : rows(2 * pixel_rows), columns(2 * pixel_columns), team(threads),
        grid(
            rows, columns, [&](int y, int x) { return quads.mask[pixel_index(y / 2, x / 2, pixel_columns)] != 0; },
            team) {
    for (Plane<double>* plane : {&even, &odd, &inner, &outer, &down_even, &down_odd})
      *plane = Plane<double>(grid.layout);
    for (Plane<float>* plane : {&beside, &below}) *plane = Plane<float>(grid.layout);
    for (int y = 0; y < rows; ++y) load_row(y, quads);
  }

  // Weights of the edges that begin in row y and go down from the even or the odd columns.
  float* weight_down(int y, bool from_odd) {
    return ((y % 2 == 0) != from_odd ? grid.down_red : grid.down_black).row(y);
  }

  // Calls work with the half columns of row y that are in use.
  template <class Work>
  void each_half(int y, Work work) const {
    for (const Segment* s = grid.spans.begin(y); s != grid.spans.end(y); ++s) {
      CREVASSE_LANES
      for (int j = s->begin; j < s->end; ++j) work(j);
    }
  }

  // The sum over all rows, once all members have set theirs. All members call it.
  double collect() {
    team.barrier();
    const double total = grid.total();
    team.barrier();
    return total;
  }

 private:
  // Targets and weights of the pixel edges of row y, and tangency of its auxiliary edges.
  void load_row(int y, const Quads& quads) {
    const int row = y / 2, pixels = columns / 2;
    const bool inside = y % 2 == 0;
    for (const Segment* s = grid.spans.begin(y); s != grid.spans.end(y); ++s)
      for (int j = s->begin; j < s->end; ++j) {
        beside.row(y)[j] = below.row(y)[j] = -1.0f;
        if (j >= pixels || !quads.mask[pixel_index(row, j, pixels)]) continue;
        const double* corner = quads.offsets + pixel_index(y, 2 * j, columns);
        const double stiffness = quads.stiffness[pixel_index(row, j, pixels)];
        grid.inner.row(y)[j] = static_cast<float>(stiffness);
        inner.row(y)[j] = corner[1] - corner[0];
        if (j > 0 && quads.mask[pixel_index(row, j - 1, pixels)])
          beside.row(y)[j] = static_cast<float>(quads.tangency_right[pixel_index(row, j - 1, pixels - 1)]);
        if (inside) {
          weight_down(y, false)[j] = weight_down(y, true)[j] = static_cast<float>(stiffness);
          down_even.row(y)[j] = corner[columns] - corner[0];
          down_odd.row(y)[j] = corner[columns + 1] - corner[1];
        } else if (y + 1 < rows && quads.mask[pixel_index(row + 1, j, pixels)]) {
          below.row(y)[j] = static_cast<float>(quads.tangency_down[pixel_index(row, j, pixels)]);
        }
      }
  }
};

}  // namespace crevasse
