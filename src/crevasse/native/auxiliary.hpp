// The published method (Algorithm 1 of the paper): four corners a pixel, auxiliary edges between pixels.
//
// Corners form a grid of twice the rows and columns. In the layout of multigrid.hpp half column j is pixel column j:
// its two corners of a row are joined by a pixel edge (`inner`), those of neighbouring pixels by an auxiliary edge
// (`outer`); downwards, edges that begin in an even row are pixel edges, in an odd row auxiliary edges.
#pragma once

#include <array>
#include <cmath>
#include <functional>

#include "graduated.hpp"

namespace crevasse {

constexpr int PHASES = 4;  // of the schedule: soft, middle, hard, middle

// What is given of each pixel and of each pair of neighbours; row-major.
struct Quads {
  const unsigned char* mask;      // (H, W)
  const double* stiffness;        // (H, W): n_z^2
  const double* offsets;          // (2H, 2W): heights of the corners over the pixel's centre
  const double* tangency_right;   // (H, W - 1)
  const double* tangency_down;    // (H - 1, W)
};

// How jumps are weighed and filtered.
struct Filter {
  double weight_scale;   // the jump in pixels at which an edge begins to lose weight, inverted
  double filter_scale;   // factor of the jumps in the filter
  double sharpness;      // k
  bool reweighting, filtering;
  bool mirrored;         // an auxiliary edge that is missing counts as its neighbour, not 0
  bool relative;         // weights from what the jump has left of its target, not from the jump
};

class Auxiliary {
  using Row = const double* __restrict;
  using Out = double* __restrict;

 public:
  Auxiliary(int rows, int columns, const Quads& quads, int threads)
      : rows_(2 * rows), columns_(2 * columns), team_(threads),
        grid_(2 * rows, 2 * columns,
              [&](int y, int x) { return quads.mask[index(y / 2, x / 2, columns)] != 0; }, team_),
        energies_(static_cast<std::size_t>(2 * rows)) {
    for (Plane<double>* plane : {&even_, &odd_, &inner_, &outer_, &down_even_, &down_odd_})
      *plane = Plane<double>(grid_.layout);
    for (Plane<float>* plane : {&beside_, &below_}) *plane = Plane<float>(grid_.layout);
    for (int m = 0; m < team_.size(); ++m) scratch_.emplace_back(5, std::vector<double>(grid_.layout.stride));
    for (int y = 0; y < rows_; ++y) take_row(y, quads, columns);
    balance_all();
    size_ = std::sqrt(grid_.total());
  }

  // One outer iteration: jumps and weights from the corners as they are (none and 1 at the first), then the solve. It
  // starts from the move that the last iteration of the same phase of the schedule made, if that is the better start.
  Report step(const Filter& filter, bool first, int phase, double strength, double tolerance, int limit,
              const std::function<bool()>& poll) {
    Move& move = moves_[static_cast<std::size_t>(phase)];
    if (!move.known) move = Move(grid_.layout);
    Report report;
    team_.run([&](int member) {
      const int begin = grid_.first(member), end = grid_.last(member);
      for (int y = begin; y < end; ++y) edit_row(member, y, filter, first, strength);
      team_.checkpoint(member);
      double left = predict(member, move);
      int iterations = 0, idle = 0;
      double best = std::numeric_limits<double>::infinity();
      for (bool built = false;; built = true) {
        idle = left > 0.5 * best ? idle + 1 : 0;
        best = std::min(best, left);
        if (!(left > tolerance) || iterations >= limit || idle >= 3) break;
        if (!built) grid_.rebuild(member);
        iterations += grid_.solve(member, limit - iterations, std::max(0.3 * tolerance / left, 1e-5));
        for (int y = begin; y < end; ++y) add_row(y, move);
        team_.barrier();
        left = residual(member);
      }
      for (int y = begin; y < end; ++y) grid_.sum(y) = length(y, move);
      const double moved = collect();
      if (member == 0) report = {energy(), moved, iterations};
    }, poll);
    move.known = true;
    return report;
  }

  void read(double* out) const {
    for (int y = 0; y < rows_; ++y)
      for (int x = 0; x < columns_; ++x) out[index(y, x, columns_)] = (x % 2 == 0 ? even_ : odd_).row(y)[x / 2];
  }

  void write(const double* in) {
    for (int y = 0; y < rows_; ++y)
      for (int x = 0; x < columns_; ++x) (x % 2 == 0 ? even_ : odd_).row(y)[x / 2] = in[index(y, x, columns_)];
  }

 private:
  // How far an iteration moved the corners.
  struct Move {
    Plane<float> even, odd;
    bool known = false;
    Move() = default;
    explicit Move(const Layout& layout) : even(layout), odd(layout) {}
  };

  static std::size_t index(int y, int x, int width) {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x);
  }

  // Weights of the edges that begin in row y and go down from the even or the odd columns.
  float* weight_down(int y, bool odd) { return ((y % 2 == 0) != odd ? grid_.down_red : grid_.down_black).row(y); }

  double collect() {
    team_.barrier();
    const double total = grid_.total();
    team_.barrier();
    return total;
  }

  double energy() const {
    double sum = 0;
    for (double value : energies_) sum += value;
    return sum;
  }

  // ---- set-up -------------------------------------------------------------------------------------------------

  void take_row(int y, const Quads& quads, int columns) {
    const int row = y / 2;
    const bool inside = y % 2 == 0;
    for (const Segment* s = grid_.spans.begin(y); s != grid_.spans.end(y); ++s)
      for (int j = s->begin; j < s->end; ++j) {
        beside_.row(y)[j] = below_.row(y)[j] = -1.0f;
        if (j >= columns || !quads.mask[index(row, j, columns)]) continue;
        const double* corner = quads.offsets + index(y, 2 * j, columns_);
        const double stiffness = quads.stiffness[index(row, j, columns)];
        grid_.inner.row(y)[j] = static_cast<float>(stiffness);
        inner_.row(y)[j] = corner[1] - corner[0];
        if (j > 0 && quads.mask[index(row, j - 1, columns)])
          beside_.row(y)[j] = static_cast<float>(quads.tangency_right[index(row, j - 1, columns - 1)]);
        if (inside) {
          weight_down(y, false)[j] = weight_down(y, true)[j] = static_cast<float>(stiffness);
          down_even_.row(y)[j] = corner[columns_] - corner[0];
          down_odd_.row(y)[j] = corner[columns_ + 1] - corner[1];
        } else if (y + 1 < rows_ && quads.mask[index(row + 1, j, columns)]) {
          below_.row(y)[j] = static_cast<float>(quads.tangency_down[index(row, j, columns)]);
        }
      }
  }

  void balance_all() {
    team_.run([&](int member) {
      for (int y = grid_.first(member); y < grid_.last(member); ++y) balance_row(y);
    }, [] { return false; });
  }

  // ---- jumps ----------------------------------------------------------------------------------------------------

  double* line(int member, int number) {
    return scratch_[static_cast<std::size_t>(member)][static_cast<std::size_t>(number)].data() + MARGIN;
  }

  // Weights and targets of the auxiliary edges that begin in row y.
  void edit_row(int member, int y, const Filter& filter, bool first, double strength) {
    Out rise = line(member, 0);
    Out here = line(member, 1);
    Out before = line(member, 2);
    Out after = line(member, 3);
    Out unused = line(member, 4);
    measure(y, beside_, even_.row(y), odd_.row(y) - 1, filter, rise, here);
    std::copy(here - MARGIN, here - MARGIN + grid_.layout.stride - 1, before - MARGIN + 1);
    std::copy(here - MARGIN + 1, here - MARGIN + grid_.layout.stride, after - MARGIN);
    edit(y, beside_, rise, here, before, after, filter, first, strength, grid_.outer.row(y), outer_.row(y));
    if (y % 2 == 0 || y + 1 >= rows_) return;
    for (bool odd : {false, true}) {
      const Plane<double>& plane = odd ? odd_ : even_;
      if (y >= 2) measure(y - 2, below_, plane.row(y - 1), plane.row(y - 2), filter, unused, before);
      else std::fill(before, before + grid_.layout.half, -1.0);
      if (y + 3 < rows_) measure(y + 2, below_, plane.row(y + 3), plane.row(y + 2), filter, unused, after);
      else std::fill(after, after + grid_.layout.half, -1.0);
      measure(y, below_, plane.row(y + 1), plane.row(y), filter, rise, here);
      edit(y, below_, rise, here, before, after, filter, first, strength, weight_down(y, odd),
           (odd ? down_odd_ : down_even_).row(y));
    }
  }

  // The jumps between two half rows, and the squares of what the filter sees of them; -1 where there is no edge.
  void measure(int y, const Plane<float>& tangency, Row to, Row from, const Filter& filter, Out rise, Out square) {
    const float* __restrict s = tangency.row(y);
    std::fill(square - 1, square + grid_.layout.half + 1, -1.0);
    for (const Segment* part = grid_.spans.begin(y); part != grid_.spans.end(y); ++part)
      CREVASSE_LANES
      for (int j = part->begin; j < part->end; ++j) {
        const double jump = to[j] - from[j];
        const double scaled = static_cast<double>(s[j]) * filter.filter_scale * jump;
        rise[j] = jump;
        square[j] = s[j] >= 0.0f ? scaled * scaled : -1.0;
      }
  }

  void edit(int y, const Plane<float>& tangency, Row rise, Row here, Row before, Row after, const Filter& filter,
            bool first, double strength, float* __restrict weight, Out target) {
    const float* __restrict s = tangency.row(y);
    for (const Segment* part = grid_.spans.begin(y); part != grid_.spans.end(y); ++part)
      for (int j = part->begin; j < part->end; ++j) {
        const double scaled = (filter.relative ? rise[j] - target[j] : rise[j]) * filter.weight_scale;
        const double loss = filter.reweighting && !first ? std::fmax(1.0, scaled * scaled) : 1.0;
        weight[j] = s[j] >= 0.0f ? static_cast<float>(strength / loss) : 0.0f;
        target[j] = s[j] >= 0.0f && filter.filtering && !first
                        ? rise[j] * keep(here[j], before[j], after[j], filter) : 0.0;
      }
  }

  // f = logistic(k L) where L > 0, else 0, with L = 2 G^2 - G'^2 - G''^2.
  static double keep(double here, double before, double after, const Filter& filter) {
    const double missing = filter.mirrored ? here : 0.0;
    const double excess = 2 * here - (before >= 0 ? before : missing) - (after >= 0 ? after : missing);
    const double power = filter.sharpness * excess;
    if (!(excess > 0)) return 0.0;
    return power > 40 ? 1.0 : 1.0 / (1.0 + std::exp(-power));
  }

  // ---- balance --------------------------------------------------------------------------------------------------

  // What is left of the balance of forces at the corners of row y, the inverse diagonal, and the energy.
  void balance_row(int y) {
    const bool flip = y % 2 != 0;
    Row e = even_.row(y), o = odd_.row(y), ti = inner_.row(y), to = outer_.row(y);
    const float* __restrict wi = grid_.inner.row(y);
    const float* __restrict wo = grid_.outer.row(y);
    double sum = 0, energy = 0;
    for (int odd = 0; odd < 2; ++odd) {
      const Plane<double>& plane = odd ? odd_ : even_;
      const Plane<double>& targets = odd ? down_odd_ : down_even_;
      Row z = plane.row(y), next = plane.row(y + 1), previous = plane.row(y - 1);
      Row tb = targets.row(y), ta = targets.row(y - 1);
      const float* __restrict wb = weight_down(y, odd);
      const float* __restrict wa = y > 0 ? weight_down(y - 1, odd) : grid_.down_red.row(-1);
      float* __restrict side = (flip != (odd != 0) ? grid_.side_black : grid_.side_red).row(y);
      float* __restrict inv = (flip != (odd != 0) ? grid_.inverse_black : grid_.inverse_red).row(y);
      double lanes[LANES] = {}, bent[LANES] = {};
      const double sign = odd ? -1.0 : 1.0;
      for (const Segment* s = grid_.spans.begin(y); s != grid_.spans.end(y); ++s)
        for (int j0 = s->begin; j0 < s->end; j0 += LANES)
          CREVASSE_LANES
          for (int l = 0; l < LANES; ++l) {
            const int j = j0 + l, k = j + odd;
            const double in = o[j] - e[j] - ti[j], out = e[k] - o[k - 1] - to[k];
            const double below = next[j] - z[j] - tb[j], above = z[j] - previous[j] - ta[j];
            const double fi = wi[j] * in, fo = wo[k] * out, fb = wb[j] * below;
            const double left = sign * (fi - fo) + (fb - wa[j] * above);
            side[j] = static_cast<float>(left);
            inv[j] = inverse((wi[j] + wo[k]) + (wb[j] + wa[j]));
            lanes[l] += left * left;
            bent[l] += fb * below + (odd ? fi * in : fo * out);
          }
      for (int l = 0; l < LANES; ++l) sum += lanes[l], energy += bent[l];
    }
    grid_.sum(y) = sum;
    energies_[static_cast<std::size_t>(y)] = energy;
  }

  // Norm of what is left, over that of the right side.
  double residual(int member) {
    for (int y = grid_.first(member); y < grid_.last(member); ++y) balance_row(y);
    const double total = collect();
    return size_ > 0 ? std::sqrt(total) / size_ : 0.0;
  }

  // Makes the last move of this phase again if that leaves less; returns what is left.
  double predict(int member, Move& move) {
    const double before = residual(member);
    if (!move.known) return before;
    shift(member, move, 1.0);
    const double after = residual(member);
    if (after < before) return after;
    shift(member, move, -1.0);
    for (int y = grid_.first(member); y < grid_.last(member); ++y)
      each_half(y, [&](int j) { move.even.row(y)[j] = move.odd.row(y)[j] = 0.0f; });
    return residual(member);
  }

  void shift(int member, const Move& move, double sign) {
    for (int y = grid_.first(member); y < grid_.last(member); ++y)
      each_half(y, [&](int j) {
        even_.row(y)[j] += sign * static_cast<double>(move.even.row(y)[j]);
        odd_.row(y)[j] += sign * static_cast<double>(move.odd.row(y)[j]);
      });
    team_.barrier();
  }

  // Moves the corners of row y by the solution.
  void add_row(int y, Move& move) {
    const bool flip = y % 2 != 0;
    for (int odd = 0; odd < 2; ++odd) {
      const float* __restrict step = (flip != (odd != 0) ? grid_.value_black : grid_.value_red).row(y);
      Out z = (odd ? odd_ : even_).row(y);
      float* __restrict way = (odd ? move.odd : move.even).row(y);
      each_half(y, [&](int j) {
        z[j] += static_cast<double>(step[j]);
        way[j] += step[j];
      });
    }
  }

  // Sum of the moves in row y.
  double length(int y, const Move& move) const {
    double sum = 0;
    each_half(y, [&](int j) { sum += static_cast<double>(std::fabs(move.even.row(y)[j]) + std::fabs(move.odd.row(y)[j])); });
    return sum;
  }

  template <class F>
  void each_half(int y, F f) const {
    for (const Segment* s = grid_.spans.begin(y); s != grid_.spans.end(y); ++s)
      CREVASSE_LANES
      for (int j = s->begin; j < s->end; ++j) f(j);
  }

  int rows_, columns_;
  Team team_;
  Multigrid<float> grid_;
  Plane<double> even_, odd_;                              // heights of the corners in even and odd columns
  Plane<double> inner_, outer_, down_even_, down_odd_;    // targets of the edges
  Plane<float> beside_, below_;                           // tangency of auxiliary edges; < 0: not an edge
  std::array<Move, PHASES> moves_;
  std::vector<double> energies_;
  std::vector<std::vector<std::vector<double>>> scratch_;
  double size_ = 0;                                       // norm of the right side of the normals alone
};

}  // namespace crevasse
