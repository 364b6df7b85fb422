// One outer iteration of IRLS: weights from the heights, the linear system, and its solution.
#pragma once

#include <memory>

#include "../report.hpp"
#include "lines.hpp"
#include "state.hpp"
#include "weights.hpp"

namespace crevasse {

// Heights that no pixel may leave; a step beyond them is not taken. Single precision cannot place a part that only the
// smallest weights hold: its step is a rounding error divided by almost nothing.
struct Bounds {
  double low, high;
};

class Iteration {
 public:
  explicit Iteration(State& state) : state_(state), nothing_(state.grid.layout) {
    for (int m = 0; m < state.team.size(); ++m) shares_.push_back(std::make_unique<Share>(state.grid.layout));
  }

  // scale: of jumps that annealed weights tolerate, in pixels.
  Report run(Weighting weighting, float scale, int solver_iterations, double tolerance, bool rebuild,
             const Bounds& bounds, const Poll& poll) {
    Report report;
    Multigrid<float>& grid = state_.grid;
    Team& team = state_.team;
    team.run(poll, [&](int member) {
      assemble(member, weighting, scale * scale);
      team.checkpoint(member);
      const double energy = grid.total();
      team.barrier();
      if (rebuild) grid.rebuild(member);
      const int iterations = grid.solve(member, solver_iterations, tolerance);
      state_.each_row(member, [&](int y) { add_row(y, bounds); });
      team.barrier();
      if (member == 0) report = {energy, grid.total(), iterations};
    });
    return report;
  }

 private:
  using Row = In<float>;

  struct Share {
    Lines first, even, odd;
    Lines* last = nullptr;
    explicit Share(const Layout& layout) : first(layout), even(layout), odd(layout) {}
  };

  // Weights, right-hand sides and inverse diagonals of a member's rows.
  void assemble(int member, Weighting weighting, float scale2) {
    const int begin = state_.grid.first(member), end = state_.grid.last(member);
    Share& share = *shares_[static_cast<std::size_t>(member)];
    Lines* previous = nullptr;
    state_.each_row(member, [&](int y) {
      Lines* lines = y == begin ? &share.first : (y % 2 ? &share.odd : &share.even);
      weigh(y, weighting, scale2, *lines);
      if (y > begin) balance(y, *lines, *previous);
      previous = lines;
    });
    share.last = previous;
    state_.team.barrier();
    if (begin >= end) return;
    // The first row needs the last row of the share above.
    Lines* above = &nothing_;
    for (int m = 0; m < member; ++m)
      if (state_.grid.last(m) == begin && state_.grid.first(m) < begin)
        above = shares_[static_cast<std::size_t>(m)]->last;
    balance(begin, share.first, *above);
  }

  void weigh(int y, Weighting weighting, float scale2, Lines& lines) {
    lines.reuse(state_.grid.spans, y);
    switch (weighting) {
      case Weighting::FLAT:
        return weigh_row<Weighting::FLAT>(y, scale2, lines);
      case Weighting::ANNEALED:
        return weigh_row<Weighting::ANNEALED>(y, scale2, lines);
      case Weighting::REDESCENDING:
        return weigh_row<Weighting::REDESCENDING>(y, scale2, lines);
      case Weighting::SETTLED:
        return weigh_row<Weighting::SETTLED>(y, scale2, lines);
      case Weighting::FROZEN:
        return weigh_row<Weighting::FROZEN>(y, scale2, lines);
    }
  }

  // Weights and fluxes of row y, and its energy. All four families at once, because four streams arrive from memory
  // sooner than one.
  template <Weighting W>
  void weigh_row(int y, float scale2, Lines& lines) {
    Multigrid<float>& grid = state_.grid;
    In<double> red = state_.red.row(y), black = state_.black.row(y);
    In<double> next_red = state_.red.row(y + 1), next_black = state_.black.row(y + 1);
    In<double> first = state_.even_row(y), second = state_.odd_row(y);
    Out<float> wi = grid.inner.row(y), wo = grid.outer.row(y), wr = grid.down_red.row(y), wb = grid.down_black.row(y);
    Out<float> fi = lines.inner.data() + MARGIN, fo = lines.outer.data() + MARGIN;
    Out<float> fr = lines.red.data() + MARGIN, fb = lines.black.data() + MARGIN;
    double lanes[LANES] = {};
    for (const Segment* s = grid.spans.begin(y); s != grid.spans.end(y); ++s) {
      In<Pairs::Block> pi = state_.pairs.inner.block(y, s->begin), po = state_.pairs.outer.block(y, s->begin);
      In<Pairs::Block> pr = state_.pairs.down_red.block(y, s->begin), pb = state_.pairs.down_black.block(y, s->begin);
      for (int block = 0; block < (s->end - s->begin) / LANES; ++block) {
        CREVASSE_BLOCK
        for (int l = 0; l < LANES; ++l) {
          const int j = s->begin + block * LANES + l;
          float energy = weigh_pair<W>(pi[block], l, second[j] - first[j], scale2, wi[j], fi[j]);
          energy += weigh_pair<W>(po[block], l, first[j] - second[j - 1], scale2, wo[j], fo[j]);
          energy += weigh_pair<W>(pr[block], l, next_black[j] - red[j], scale2, wr[j], fr[j]);
          energy += weigh_pair<W>(pb[block], l, next_red[j] - black[j], scale2, wb[j], fb[j]);
          lanes[l] += static_cast<double>(energy);
        }
      }
    }
    grid.sum(y) = sum_lanes(lanes);
  }

  // Right-hand side (the fluxes that are not in balance) and inverse diagonal at each pixel of row y.
  void balance(int y, const Lines& lines, const Lines& above) {
    balance_pairs(y, lines, above);
    if (state_.grid.pinned) add_pins(y);
  }

  void balance_pairs(int y, const Lines& lines, const Lines& above) {
    Multigrid<float>& g = state_.grid;
    // Pixels in even columns have their pair inside the half column to the right, the others to the left.
    if (y % 2 == 0) {
      balance_colour(y, true, g.rhs_red, g.inverse_red, lines, lines.red, above.black, g.down_red, g.down_black);
      balance_colour(y, false, g.rhs_black, g.inverse_black, lines, lines.black, above.red, g.down_black, g.down_red);
    } else {
      balance_colour(y, true, g.rhs_black, g.inverse_black, lines, lines.black, above.red, g.down_black, g.down_red);
      balance_colour(y, false, g.rhs_red, g.inverse_red, lines, lines.red, above.black, g.down_red, g.down_black);
    }
  }

  void balance_colour(int y, bool even, Plane<float>& rhs_plane, Plane<float>& inverse_plane, const Lines& lines,
                      const std::vector<float>& below_line, const std::vector<float>& above_line,
                      const Plane<float>& below_plane, const Plane<float>& above_plane) {
    Out<float> rhs = rhs_plane.row(y), inv = inverse_plane.row(y);
    Row in = lines.inner.data() + MARGIN, out = lines.outer.data() + MARGIN + (even ? 0 : 1);
    Row below = below_line.data() + MARGIN, above = above_line.data() + MARGIN;
    Row wi = state_.grid.inner.row(y), wo = state_.grid.outer.row(y) + (even ? 0 : 1);
    Row below_weight = below_plane.row(y), above_weight = above_plane.row(y - 1);
    const float sign = even ? 1.0f : -1.0f;
    each_column(state_.grid.spans, y, [&](Index j) {
      rhs[j] = sign * (in[j] - out[j]) + (below[j] - above[j]);
      inv[j] = inverse((wi[j] + wo[j]) + (below_weight[j] + above_weight[j]));
    });
  }

  // What pulls single pixels to known heights.
  void add_pins(int y) {
    Multigrid<float>& g = state_.grid;
    add_pins(y, g.pin_red, state_.known_red, state_.red, g.rhs_red, g.inverse_red);
    add_pins(y, g.pin_black, state_.known_black, state_.black, g.rhs_black, g.inverse_black);
  }

  void add_pins(int y, const Plane<float>& pins, const Plane<double>& known, const Plane<double>& heights,
                Plane<float>& rhs_plane, Plane<float>& inverse_plane) {
    Row pin = pins.row(y);
    In<double> v = known.row(y), z = heights.row(y);
    Out<float> rhs = rhs_plane.row(y), inv = inverse_plane.row(y);
    each_column(state_.grid.spans, y, [&](Index j) {
      rhs[j] += pin[j] * static_cast<float>(v[j] - z[j]);
      inv[j] = pin[j] > 0.0f ? 1.0f / (inverse(inv[j]) + pin[j]) : inv[j];
    });
  }

  // Moves the heights of row y by the solution; sums how far.
  void add_row(int y, const Bounds& bounds) {
    double moved = add_colour(y, state_.grid.value_red.row(y), state_.red.row(y), bounds);
    moved += add_colour(y, state_.grid.value_black.row(y), state_.black.row(y), bounds);
    state_.grid.sum(y) = moved;
  }

  double add_colour(int y, Row step, Out<double> z, const Bounds& bounds) {
    double lanes[LANES] = {};
    const double low = bounds.low, high = bounds.high;
    for (const Segment* s = state_.grid.spans.begin(y); s != state_.grid.spans.end(y); ++s)
      for (int j = s->begin; j < s->end; j += LANES)
        for (int l = 0; l < LANES; ++l) {
          const double next = z[j + l] + static_cast<double>(step[j + l]);
          // Values that are not finite are taken: the status of the run reports them.
          const bool beyond = next < low || next > high;
          z[j + l] = beyond ? z[j + l] : next;
          lanes[l] += beyond ? 0.0 : static_cast<double>(std::fabs(step[j + l]));
        }
    return sum_lanes(lanes);
  }

  State& state_;
  std::vector<std::unique_ptr<Share>> shares_;
  Lines nothing_;
};

}  // namespace crevasse
