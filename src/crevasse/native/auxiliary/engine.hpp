// The published method (Algorithm 1 of the paper): four corners per pixel, auxiliary edges between pixels.
#pragma once

#include <array>
#include <cmath>
#include <limits>

#include "../report.hpp"
#include "balance.hpp"
#include "jumps.hpp"

namespace crevasse {

constexpr int PHASES = 4;  // of the schedule: soft, middle, hard, middle

class Auxiliary {
 public:
  Auxiliary(int rows, int columns, const Quads& quads, int threads)
      : corners_(rows, columns, quads, threads), jumps_(corners_), balance_(corners_) {}

  // Members of the team, which may be fewer than asked for.
  int threads() const { return corners_.team.size(); }

  // One outer iteration: jumps and weights from the current corners (0 and 1 in the first), then the solve. It
  // starts from the move that the last iteration of the same phase of the schedule made, if that is the better start.
  Report step(const Filter& filter, bool first, int phase, double strength, double tolerance, int limit,
              const Poll& poll) {
    Move& move = moves_[static_cast<std::size_t>(phase)];
    if (!move.known) move = Move(corners_.grid.layout);
    Report report;
    corners_.team.run(poll, [&](int member) {
      each_row(member, [&](int y) { jumps_.edit_row(member, y, filter, first, strength); });
      corners_.team.checkpoint(member);
      const int iterations = solve(member, move, tolerance, limit);
      each_row(member, [&](int y) { corners_.grid.sum(y) = length(y, move); });
      const double moved = corners_.collect();
      if (member == 0) report = {balance_.energy(), moved, iterations};
    });
    move.known = true;
    return report;
  }

  void read(double* out) const {
    for (int y = 0; y < corners_.rows; ++y)
      for (int x = 0; x < corners_.columns; ++x)
        out[pixel_index(y, x, corners_.columns)] = (x % 2 == 0 ? corners_.even : corners_.odd).row(y)[x / 2];
  }

  void write(const double* in) {
    for (int y = 0; y < corners_.rows; ++y)
      for (int x = 0; x < corners_.columns; ++x)
        (x % 2 == 0 ? corners_.even : corners_.odd).row(y)[x / 2] = in[pixel_index(y, x, corners_.columns)];
  }

 private:
  // How far an iteration moved the corners.
  struct Move {
    Plane<float> even, odd;
    bool known = false;
    Move() = default;
    explicit Move(const Layout& layout) : even(layout), odd(layout) {}
  };

  template <class Work>
  void each_row(int member, Work work) {
    for (int y = corners_.grid.first(member); y < corners_.grid.last(member); ++y) work(y);
  }

  // Solves until the residual falls below the tolerance, or stops falling; returns the iterations.
  int solve(int member, Move& move, double tolerance, int limit) {
    double left = predict(member, move), best = std::numeric_limits<double>::infinity();
    int iterations = 0, idle = 0;
    for (bool built = false;; built = true) {
      idle = left > 0.5 * best ? idle + 1 : 0;
      best = std::min(best, left);
      if (!(left > tolerance) || iterations >= limit || idle >= 3) return iterations;
      if (!built) corners_.grid.rebuild(member);
      iterations += corners_.grid.solve(member, limit - iterations, std::max(0.3 * tolerance / left, 1e-5));
      each_row(member, [&](int y) { add_row(y, move); });
      corners_.team.barrier();
      left = balance_.residual(member);
    }
  }

  // Makes the last move of this phase again if that leaves a smaller residual; returns the residual.
  double predict(int member, Move& move) {
    const double before = balance_.residual(member);
    if (!move.known) return before;
    shift(member, move, 1.0);
    const double after = balance_.residual(member);
    if (after < before) return after;
    shift(member, move, -1.0);
    each_row(member,
             [&](int y) { corners_.each_half(y, [&](int j) { move.even.row(y)[j] = move.odd.row(y)[j] = 0.0f; }); });
    return balance_.residual(member);
  }

  void shift(int member, const Move& move, double sign) {
    each_row(member, [&](int y) {
      corners_.each_half(y, [&](int j) {
        corners_.even.row(y)[j] += sign * static_cast<double>(move.even.row(y)[j]);
        corners_.odd.row(y)[j] += sign * static_cast<double>(move.odd.row(y)[j]);
      });
    });
    corners_.team.barrier();
  }

  // Moves the corners of row y by the solution.
  void add_row(int y, Move& move) {
    for (int odd = 0; odd < 2; ++odd) {
      const bool red = (y + odd) % 2 == 0;
      In<float> step = (red ? corners_.grid.value_red : corners_.grid.value_black).row(y);
      Out<double> z = (odd ? corners_.odd : corners_.even).row(y);
      Out<float> way = (odd ? move.odd : move.even).row(y);
      corners_.each_half(y, [&](int j) {
        z[j] += static_cast<double>(step[j]);
        way[j] += step[j];
      });
    }
  }

  // Sum of the moves in row y.
  double length(int y, const Move& move) const {
    double sum = 0;
    corners_.each_half(
        y, [&](int j) { sum += static_cast<double>(std::fabs(move.even.row(y)[j]) + std::fabs(move.odd.row(y)[j])); });
    return sum;
  }

  Corners corners_;
  Jumps jumps_;
  Balance balance_;
  std::array<Move, PHASES> moves_;
};

}  // namespace crevasse
