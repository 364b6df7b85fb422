// Weighted 5-point Laplacians, with or without a diagonal, in double precision.
#pragma once

#include "multigrid/multigrid.hpp"

namespace crevasse {

struct Outcome {
  int iterations = 0;
  double residual = 0;  // relative
};

constexpr int PATIENCE = 16;  // iterations after which an approximate Cholesky factorisation supports the V-cycle

class Solver {
 public:
  // Weights right (rows, columns - 1) and down (rows - 1, columns), >= 0, row-major; pins: what pulls single points,
  // (rows, columns), >= 0, or null.
  Solver(int rows, int columns, const double* right, const double* down, const double* pins, int threads)
      : rows_(rows), columns_(columns), team_(threads),
        grid_(rows, columns, [&](int y, int x) { return used(right, down, pins, y, x); }, team_) {
    if (pins) grid_.pin();
  }

  void load(const double* right, const double* down, const double* pins, const Poll& poll) {
    right_ = right;
    down_ = down;
    pins_ = pins;
    team_.run(poll, [&](int member) {
      for (int y = grid_.first(member); y < grid_.last(member); ++y) load_row(y);
      team_.barrier();
      for (int y = grid_.first(member); y < grid_.last(member); ++y) invert_row(y);
      team_.barrier();
      grid_.rebuild(member);
    });
  }

  // Members of the team, which may be fewer than asked for.
  int threads() const { return team_.size(); }

  // Improves x until |b - A x| <= tolerance |b|, or after `limit` iterations in all.
  Outcome solve(const double* b, double* x, double tolerance, int limit, const Poll& poll) {
    Outcome outcome;
    team_.run(poll, [&](int member) {
      const double size = std::sqrt(norm(member, b));
      int iterations = 0, idle = 0;
      bool supported = grid_.has_cholesky();
      double best = std::numeric_limits<double>::infinity();
      for (;;) {
        const double left = std::sqrt(residual(member, b, x));
        const double relative = size > 0 ? left / size : 0.0;
        if (member == 0) outcome = {iterations, relative};
        if (!(relative > tolerance) || iterations >= limit) break;
        // A refinement that no longer gains anything has reached the limit of double precision.
        idle = relative > 0.5 * best ? idle + 1 : 0;
        best = std::min(best, relative);
        if (idle >= 3) break;
        // The factorisation knows nothing of pins, which need no support: they make a system easier.
        if (iterations >= PATIENCE && !supported && !pins_) {
          grid_.add_cholesky(member);
          supported = true;
        }
        const int most = supported || pins_ ? limit : std::min(limit, PATIENCE);
        const int done = grid_.solve(member, most - iterations, std::max(0.3 * tolerance / relative, 1e-10));
        iterations += done;
        for (int y = grid_.first(member); y < grid_.last(member); ++y) add_row(y, x);
        team_.barrier();
        if (done == 0 && idle > 0) break;
      }
      team_.barrier();
    });
    return outcome;
  }

 private:
  double right(int y, int x) const { return right_[pixel_index(y, x, columns_ - 1)]; }
  double down(int y, int x) const { return down_[pixel_index(y, x, columns_)]; }
  double pin(int y, int x) const { return pins_ ? pins_[pixel_index(y, x, columns_)] : 0.0; }

  bool used(const double* r, const double* d, const double* pins, int y, int x) const {
    return (pins && pins[pixel_index(y, x, columns_)] > 0) || (x > 0 && r[pixel_index(y, x - 1, columns_ - 1)] > 0) ||
           (x + 1 < columns_ && r[pixel_index(y, x, columns_ - 1)] > 0) ||
           (y > 0 && d[pixel_index(y - 1, x, columns_)] > 0) || (y + 1 < rows_ && d[pixel_index(y, x, columns_)] > 0);
  }

  template <class F>
  void each(int y, F f) const {
    for (const Segment* s = grid_.spans.begin(y); s != grid_.spans.end(y); ++s)
      for (int x = 2 * s->begin; x < std::min(2 * s->end, columns_); ++x) f(x);
  }

  void load_row(int y) {
    for (const Segment* s = grid_.spans.begin(y); s != grid_.spans.end(y); ++s)
      for (int j = s->begin; j < s->end; ++j) {
        const int x = 2 * j;
        if (x >= columns_) break;
        grid_.inner.row(y)[j] = x + 1 < columns_ ? right(y, x) : 0.0;
        grid_.outer.row(y)[j] = x > 0 ? right(y, x - 1) : 0.0;
        if (pins_) {
          (y % 2 == 0 ? grid_.pin_red : grid_.pin_black).row(y)[j] = pin(y, x);
          (y % 2 == 0 ? grid_.pin_black : grid_.pin_red).row(y)[j] = x + 1 < columns_ ? pin(y, x + 1) : 0.0;
        }
        if (y + 1 >= rows_) continue;
        Plane<double>& even = y % 2 == 0 ? grid_.down_red : grid_.down_black;
        Plane<double>& odd = y % 2 == 0 ? grid_.down_black : grid_.down_red;
        even.row(y)[j] = down(y, x);
        odd.row(y)[j] = x + 1 < columns_ ? down(y, x + 1) : 0.0;
      }
  }

  void invert_row(int y) {
    each(y, [&](int x) {
      double sum = pin(y, x);
      if (x > 0) sum += right(y, x - 1);
      if (x + 1 < columns_) sum += right(y, x);
      if (y > 0) sum += down(y - 1, x);
      if (y + 1 < rows_) sum += down(y, x);
      ((x + y) % 2 == 0 ? grid_.inverse_red : grid_.inverse_black).row(y)[x / 2] = inverse(sum);
    });
  }

  double norm(int member, const double* b) {
    for (int y = grid_.first(member); y < grid_.last(member); ++y) {
      double sum = 0;
      each(y, [&](int x) { sum += b[pixel_index(y, x, columns_)] * b[pixel_index(y, x, columns_)]; });
      grid_.sum(y) = sum;
    }
    return collect();
  }

  double collect() {
    team_.barrier();
    const double total = grid_.total();
    team_.barrier();
    return total;
  }

  double residual(int member, const double* b, const double* x_) {
    for (int y = grid_.first(member); y < grid_.last(member); ++y) {
      double sum = 0;
      each(y, [&](int x) {
        const std::size_t i = pixel_index(y, x, columns_);
        double r = b[i] - pin(y, x) * x_[i];
        if (x > 0) r -= right(y, x - 1) * (x_[i] - x_[i - 1]);
        if (x + 1 < columns_) r -= right(y, x) * (x_[i] - x_[i + 1]);
        const std::size_t width = static_cast<std::size_t>(columns_);
        if (y > 0) r -= down(y - 1, x) * (x_[i] - x_[i - width]);
        if (y + 1 < rows_) r -= down(y, x) * (x_[i] - x_[i + width]);
        ((x + y) % 2 == 0 ? grid_.rhs_red : grid_.rhs_black).row(y)[x / 2] = r;
        sum += r * r;
      });
      grid_.sum(y) = sum;
    }
    return collect();
  }

  void add_row(int y, double* x_) {
    each(y, [&](int x) {
      x_[pixel_index(y, x, columns_)] += ((x + y) % 2 == 0 ? grid_.value_red : grid_.value_black).row(y)[x / 2];
    });
  }

  int rows_, columns_;
  Team team_;
  Multigrid<double> grid_;
  const double* right_ = nullptr;
  const double* down_ = nullptr;
  const double* pins_ = nullptr;
};

}  // namespace crevasse
