// The linear system of the published method: right-hand side, inverse diagonal and energy.
#pragma once

#include <cmath>
#include <vector>

#include "corners.hpp"

namespace crevasse {

class Balance {
 public:
  explicit Balance(Corners& corners) : corners_(corners), energies_(static_cast<std::size_t>(corners.rows)) {
    corners.team.run([] { return false; },
                     [&](int member) {
                       for (int y = corners.grid.first(member); y < corners.grid.last(member); ++y) set_row(y);
                     });
    size_ = std::sqrt(corners.grid.total());
  }

  // Sets up the rows of a member; returns the norm of the residual relative to that of the first right-hand side, which
  // is that of the normals alone. All members call it.
  double residual(int member) {
    for (int y = corners_.grid.first(member); y < corners_.grid.last(member); ++y) set_row(y);
    const double total = corners_.collect();
    return size_ > 0 ? std::sqrt(total) / size_ : 0.0;
  }

  double energy() const { return Multigrid<float>::total(energies_); }

 private:
  // Sums of residual^2 and of weight * residual jump^2.
  struct Sums {
    double residual = 0, energy = 0;
  };

  void set_row(int y) {
    const Sums even = set_colour<0>(y), odd = set_colour<1>(y, even);
    corners_.grid.sum(y) = odd.residual;
    energies_[static_cast<std::size_t>(y)] = odd.energy;
  }

  // The corners of row y in even or odd columns; adds to the sums.
  template <int Odd>
  Sums set_colour(int y, Sums sums = {}) {
    Multigrid<float>& grid = corners_.grid;
    const bool red = (y + Odd) % 2 == 0;
    const Plane<double>& plane = Odd ? corners_.odd : corners_.even;
    const Plane<double>& targets = Odd ? corners_.down_odd : corners_.down_even;
    In<double> e = corners_.even.row(y), o = corners_.odd.row(y), ti = corners_.inner.row(y),
               to = corners_.outer.row(y);
    In<double> z = plane.row(y), next = plane.row(y + 1), previous = plane.row(y - 1);
    In<double> tb = targets.row(y), ta = targets.row(y - 1);
    In<float> wi = grid.inner.row(y), wo = grid.outer.row(y), wb = corners_.weight_down(y, Odd);
    In<float> wa = y > 0 ? corners_.weight_down(y - 1, Odd) : grid.down_red.row(-1);
    Out<float> rhs = (red ? grid.rhs_red : grid.rhs_black).row(y),
               inv = (red ? grid.inverse_red : grid.inverse_black).row(y);
    double lanes[LANES] = {}, bent[LANES] = {};
    const double sign = Odd ? -1.0 : 1.0;
    for (const Segment* s = grid.spans.begin(y); s != grid.spans.end(y); ++s)
      for (int j0 = s->begin; j0 < s->end; j0 += LANES) {
        CREVASSE_LANES
        for (int l = 0; l < LANES; ++l) {
          const int j = j0 + l, k = j + Odd;
          const double in = o[j] - e[j] - ti[j], out = e[k] - o[k - 1] - to[k];
          const double below = next[j] - z[j] - tb[j], above = z[j] - previous[j] - ta[j];
          const double fi = wi[j] * in, fo = wo[k] * out, fb = wb[j] * below;
          const double left = sign * (fi - fo) + (fb - wa[j] * above);
          rhs[j] = static_cast<float>(left);
          inv[j] = inverse((wi[j] + wo[k]) + (wb[j] + wa[j]));
          lanes[l] += left * left;
          bent[l] += fb * below + (Odd ? fi * in : fo * out);
        }
      }
    for (int l = 0; l < LANES; ++l) sums.residual += lanes[l], sums.energy += bent[l];
    return sums;
  }

  Corners& corners_;
  std::vector<double> energies_;  // by row
  double size_ = 0;
};

}  // namespace crevasse
