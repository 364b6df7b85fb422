// The finest level: a weighted 5-point Laplacian, and a diagonal if heights are known, on a grid coloured red and
// black.
//
// Points are red where row + column is even. In the notation of level.hpp a red point of an even row is C, of an odd
// row X; a black point of an even row is H, of an odd row V.
#pragma once

#include <vector>

#include "../grid/loops.hpp"
#include "../grid/row_packing.hpp"
#include "interpolation.hpp"

namespace crevasse {

// Edges of the points of one colour in row y. The neighbour in the other half column lies to the right (shift 1) or to
// the left (shift 0, index i - 1).
template <class T>
struct Stencil {
  In<T> in, out, below, above;
  Index next, last;  // distance to the rows below and above
  int shift;

  // Weighted sum of the values of the opposite colour around point i.
  T pull(In<T> values, Index i) const {
    return (in[i] * values[i] + out[i + shift] * values[i + 2 * shift - 1]) +
           (below[i] * values[i + next] + above[i - last] * values[i - last]);
  }
};

template <class T>
struct FineLevel {
  Layout layout;
  Spans spans;
  // Edge weights: inside a half column, across half columns, and down from red and from black points.
  Plane<T> inner, outer, down_red, down_black;
  Plane<T> pin_red, pin_black;  // what pulls single points, >= 0; only if `pinned`
  bool pinned = false;
  Plane<T> inverse_red, inverse_black;  // inverse of the whole diagonal
  Plane<T> rhs_red, rhs_black;
  Plane<T> value_red, value_black;  // solution
  Interpolation<T> interpolation;
  std::vector<int> cuts;     // rows at which the shares of the team's members begin
  std::vector<double> sums;  // one per row

  FineLevel(const Shape& shape, std::vector<int> cuts_)
      : layout(shape.layout), spans(shape.spans), interpolation(shape.between), cuts(std::move(cuts_)),
        sums(static_cast<std::size_t>(shape.layout.rows)) {
    for (Plane<T>* plane : planes()) *plane = Plane<T>(layout);
  }

  std::vector<Plane<T>*> planes() {
    return {&inner,         &outer,   &down_red,  &down_black, &inverse_red,
            &inverse_black, &rhs_red, &rhs_black, &value_red,  &value_black};
  }

  // Makes room for a diagonal; until then a system has none, and takes no memory for it.
  void pin() {
    if (!pinned) pin_red = Plane<T>(layout), pin_black = Plane<T>(layout);
    pinned = true;
  }
  void unpin() {
    pin_red = Plane<T>();
    pin_black = Plane<T>();
    pinned = false;
  }
  T pin_at_red(int y, int j) const { return pinned ? pin_red.row(y)[j] : T(0); }

  int first(int member) const { return cuts[static_cast<std::size_t>(member)]; }
  int last(int member) const { return cuts[static_cast<std::size_t>(member) + 1]; }

  double& sum(int y) { return sums[static_cast<std::size_t>(y)]; }
  double total() const { return total(sums); }
  // Adds up one number per row in the order of the rows, so that the sum does not depend on the number of threads.
  static double total(const std::vector<double>& by_row) {
    double sum = 0;
    for (double value : by_row) sum += value;
    return sum;
  }

  template <class Work>
  void across(int y, Work work) const {
    crevasse::across(layout, spans, y, work);
  }
  template <class Work>
  double sum_across(int y, Work work) const {
    return crevasse::sum_across(layout, spans, y, work);
  }

  Stencil<T> around_red(int y) const { return around(y, down_red, down_black, y & 1); }
  Stencil<T> around_black(int y) const { return around(y, down_black, down_red, 1 - (y & 1)); }

 private:
  Stencil<T> around(int y, const Plane<T>& below, const Plane<T>& above, int shift) const {
    return {flat(inner), flat(outer), flat(below), flat(above), layout.to_next(y), layout.to_next(y - 1), shift};
  }
};

}  // namespace crevasse
