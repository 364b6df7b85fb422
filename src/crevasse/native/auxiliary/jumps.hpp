// Jumps of the published method: weights and targets of auxiliary edges.
#pragma once

#include <cmath>
#include <vector>

#include "corners.hpp"

namespace crevasse {

// How jumps are weighted and filtered.
struct Filter {
  double weight_scale;  // the jump in pixels at which an edge begins to lose weight, inverted
  double filter_scale;  // factor of the jumps in the filter
  double sharpness;     // k
  bool reweighting, filtering;
  bool mirrored;  // a missing neighbour counts as the edge itself, not as 0
  bool relative;  // weights from the difference of jump and target, not from the jump
};

class Jumps {
 public:
  explicit Jumps(Corners& corners) : corners_(corners) {
    for (int m = 0; m < corners.team.size(); ++m)
      scratch_.emplace_back(5, std::vector<double>(corners.grid.layout.stride));
  }

  // Weights and targets of the auxiliary edges that begin in row y.
  void edit_row(int member, int y, const Filter& filter, bool first, double strength) {
    Out<double> rise = line(member, 0);
    Out<double> here = line(member, 1);
    Out<double> before = line(member, 2);
    Out<double> after = line(member, 3);
    Out<double> unused = line(member, 4);
    measure(y, corners_.beside, corners_.even.row(y), corners_.odd.row(y) - 1, filter, rise, here);
    std::copy(here - MARGIN, here - MARGIN + corners_.grid.layout.stride - 1, before - MARGIN + 1);
    std::copy(here - MARGIN + 1, here - MARGIN + corners_.grid.layout.stride, after - MARGIN);
    edit(y, corners_.beside, rise, here, before, after, filter, first, strength, corners_.grid.outer.row(y),
         corners_.outer.row(y));
    if (y % 2 == 0 || y + 1 >= corners_.rows) return;
    for (bool odd : {false, true}) {
      const Plane<double>& plane = odd ? corners_.odd : corners_.even;
      measure_down(y - 2, plane, filter, unused, before);
      measure_down(y + 2, plane, filter, unused, after);
      measure_down(y, plane, filter, rise, here);
      edit(y, corners_.below, rise, here, before, after, filter, first, strength, corners_.weight_down(y, odd),
           (odd ? corners_.down_odd : corners_.down_even).row(y));
    }
  }

 private:
  double* line(int member, int number) {
    return scratch_[static_cast<std::size_t>(member)][static_cast<std::size_t>(number)].data() + MARGIN;
  }

  // The jumps from row y down; -1 where there is no row.
  void measure_down(int y, const Plane<double>& plane, const Filter& filter, Out<double> rise, Out<double> square) {
    if (y >= 0 && y + 1 < corners_.rows) {
      measure(y, corners_.below, plane.row(y + 1), plane.row(y), filter, rise, square);
    } else {
      std::fill(square, square + corners_.grid.layout.half, -1.0);
    }
  }

  // The jumps between two half rows, and the squares of the values that the filter compares; -1 where there is no edge.
  void measure(int y, const Plane<float>& tangency, In<double> to, In<double> from, const Filter& filter,
               Out<double> rise, Out<double> square) {
    const float* __restrict s = tangency.row(y);
    std::fill(square - 1, square + corners_.grid.layout.half + 1, -1.0);
    for (const Segment* part = corners_.grid.spans.begin(y); part != corners_.grid.spans.end(y); ++part) {
      CREVASSE_LANES
      for (int j = part->begin; j < part->end; ++j) {
        const double jump = to[j] - from[j];
        const double scaled = static_cast<double>(s[j]) * filter.filter_scale * jump;
        rise[j] = jump;
        square[j] = s[j] >= 0.0f ? scaled * scaled : -1.0;
      }
    }
  }

  void edit(int y, const Plane<float>& tangency, In<double> rise, In<double> here, In<double> before, In<double> after,
            const Filter& filter, bool first, double strength, float* __restrict weight, Out<double> target) {
    const float* __restrict s = tangency.row(y);
    for (const Segment* part = corners_.grid.spans.begin(y); part != corners_.grid.spans.end(y); ++part)
      for (int j = part->begin; j < part->end; ++j) {
        const double scaled = (filter.relative ? rise[j] - target[j] : rise[j]) * filter.weight_scale;
        const double loss = filter.reweighting && !first ? std::fmax(1.0, scaled * scaled) : 1.0;
        weight[j] = s[j] >= 0.0f ? static_cast<float>(strength / loss) : 0.0f;
        target[j] = s[j] >= 0.0f && filter.filtering && !first
                        ? rise[j] * kept_share(here[j], before[j], after[j], filter)
                        : 0.0;
      }
  }

  // The share of a jump that becomes a target: f = logistic(k L) where L > 0, else 0, with L = 2 G^2 - G'^2 - G''^2.
  static double kept_share(double here, double before, double after, const Filter& filter) {
    const double missing = filter.mirrored ? here : 0.0;
    const double excess = 2 * here - (before >= 0 ? before : missing) - (after >= 0 ? after : missing);
    const double power = filter.sharpness * excess;
    if (!(excess > 0)) return 0.0;
    return power > 40 ? 1.0 : 1.0 / (1.0 + std::exp(-power));
  }

  Corners& corners_;
  std::vector<std::vector<std::vector<double>>> scratch_;
};

}  // namespace crevasse
