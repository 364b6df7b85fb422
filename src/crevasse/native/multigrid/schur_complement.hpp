// Red-black elimination: the Schur complement of the red points of the finest level, row by row.
//
// Each black point is the weighted mean of its red neighbours plus its own right-hand side, so that black points can be
// eliminated exactly and iterations run on half of the points.
#pragma once

#include "fine_level.hpp"

namespace crevasse {

template <class T>
class SchurComplement {
 public:
  explicit SchurComplement(FineLevel<T>& fine) : fine_(fine), black_(fine.layout) {}

  Plane<T>* plane() { return &black_; }

  static double product(T a, T b) { return static_cast<double>(a) * static_cast<double>(b); }

  // Reduces the right-hand side to the red points in two passes, and starts from value 0. The second pass needs the
  // first one in the rows above and below; it returns the sum of residual^2.
  void scale_black(int y) {
    In<T> b = flat(fine_.rhs_black), inv = flat(fine_.inverse_black);
    Out<T> h = flat(black_);
    fine_.across(y, [&](Index i) { h[i] = b[i] * inv[i]; });
  }
  double reduce(int y, Plane<T>& residual, Plane<T>& scaled) {
    const Stencil<T> around = fine_.around_red(y);
    In<T> b = flat(fine_.rhs_red), inv = flat(fine_.inverse_red), h = flat(black_);
    Out<T> r = flat(residual), u = flat(scaled), x = flat(fine_.value_red);
    return fine_.sum_across(y, [&](Index i) {
      // A point without neighbours has nothing to solve.
      r[i] = inv[i] > 0 ? b[i] + around.pull(h, i) : 0;
      u[i] = r[i] * inv[i];
      x[i] = 0;
      return product(r[i], r[i]);
    });
  }

  // The black points of row y become the weighted mean of the red ones around them. The functions below need this in
  // the rows above and below.
  void relax_black(int y, const Plane<T>& red) {
    const Stencil<T> around = fine_.around_black(y);
    In<T> values = flat(red), inv = flat(fine_.inverse_black);
    Out<T> h = flat(black_);
    fine_.across(y, [&](Index i) { h[i] = around.pull(values, i) * inv[i]; });
  }

  // What the black points contribute at the red ones of row y; at X divided by the diagonal.
  void pull_red(int y, Plane<T>& out) const {
    const Stencil<T> around = fine_.around_red(y);
    In<T> inv = flat(fine_.inverse_red), h = flat(black_);
    Out<T> v = flat(out);
    if (y & 1) {
      fine_.across(y, [&](Index i) { v[i] = around.pull(h, i) * inv[i]; });
    } else {
      fine_.across(y, [&](Index i) { v[i] = around.pull(h, i); });
    }
  }

  // The red points of row y for the right-hand side `residual`; returns the sum of residual * value.
  double relax_red(int y, const Plane<T>& residual, Plane<T>& out) const {
    const Stencil<T> around = fine_.around_red(y);
    In<T> inv = flat(fine_.inverse_red), r = flat(residual), h = flat(black_);
    Out<T> z = flat(out);
    return fine_.sum_across(y, [&](Index i) {
      z[i] = (r[i] + around.pull(h, i)) * inv[i];
      return product(r[i], z[i]);
    });
  }

  // image = S direction in row y, after relax_black(direction); returns the sum of direction * image.
  double multiply(int y, const Plane<T>& direction, Plane<T>& image) const {
    if (fine_.pinned) return multiply_pinned(y, direction, image);
    const Stencil<T> a = fine_.around_red(y);
    In<T> in = a.in, out = a.out, below = a.below, above = a.above, h = flat(black_), p = flat(direction);
    const Index next = a.next, last = a.last, shift = a.shift;
    Out<T> q = flat(image);
    return fine_.sum_across(y, [&](Index i) {
      q[i] = (in[i] * (p[i] - h[i]) + out[i + shift] * (p[i] - h[i + 2 * shift - 1])) +
             (below[i] * (p[i] - h[i + next]) + above[i - last] * (p[i] - h[i - last]));
      return product(p[i], q[i]);
    });
  }

  // The same with the diagonal.
  double multiply_pinned(int y, const Plane<T>& direction, Plane<T>& image) const {
    const Stencil<T> a = fine_.around_red(y);
    In<T> in = a.in, out = a.out, below = a.below, above = a.above, h = flat(black_), p = flat(direction);
    In<T> pin = flat(fine_.pin_red);
    const Index next = a.next, last = a.last, shift = a.shift;
    Out<T> q = flat(image);
    return fine_.sum_across(y, [&](Index i) {
      q[i] = ((in[i] * (p[i] - h[i]) + out[i + shift] * (p[i] - h[i + 2 * shift - 1])) +
              (below[i] * (p[i] - h[i + next]) + above[i - last] * (p[i] - h[i - last]))) +
             pin[i] * p[i];
      return product(p[i], q[i]);
    });
  }

  // Back-substitution: the black values of row y from the red ones.
  void back_substitute(int y) {
    const Stencil<T> around = fine_.around_black(y);
    In<T> inv = flat(fine_.inverse_black), b = flat(fine_.rhs_black), values = flat(fine_.value_red);
    Out<T> x = flat(fine_.value_black);
    fine_.across(y, [&](Index i) { x[i] = (b[i] + around.pull(values, i)) * inv[i]; });
  }

 private:
  FineLevel<T>& fine_;
  Plane<T> black_;
};

}  // namespace crevasse
