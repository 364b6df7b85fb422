// A coarse level of the multigrid hierarchy: a symmetric 9-point operator on a grid split by column parity.
//
// The operator is stored as edge weights (and `pin`, the excess of the diagonal over their sum), so that weak edges
// keep their relative precision and constants stay in the kernel. Points have one of four colours by the parity of
// their row and column: C (even, even) is a point of the next coarser level, H (even, odd) and V (odd, even) lie
// between two of these, X (odd, odd) between four.
#pragma once

#include <vector>

#include "../grid/loops.hpp"
#include "../grid/row_packing.hpp"
#include "interpolation.hpp"
#include "line_relaxation.hpp"

namespace crevasse {

// Direction of a neighbour.
struct Direction {
  int down, right;
};
constexpr Direction NEIGHBOURS[] = {{-1, -1}, {-1, 0}, {-1, 1}, {0, -1}, {0, 1}, {1, -1}, {1, 0}, {1, 1}};

template <class T>
struct Level {
  Layout layout;
  Spans spans;
  std::vector<int> cuts;  // rows at which the shares of the team's members begin
  bool solo = false;      // too small to share: member 0 does all of it
  // Edge weights: from even to odd columns inside a half column, from odd to even ones between half columns, and down
  // from even and odd columns: straight, to the right, to the left.
  Plane<T> inner, outer, down_e, down_o, right_e, left_e, right_o, left_o;
  Plane<T> pin_e, pin_o, inverse_e, inverse_o;
  Plane<T> value_e, value_o, rhs_e, rhs_o;
  Interpolation<T> interpolation;
  Strips<T> strips;

  explicit Level(const Shape& shape) : layout(shape.layout), spans(shape.spans) {
    for (Plane<T>* plane : {&inner, &outer, &down_e, &down_o, &right_e, &left_e, &right_o, &left_o, &pin_e, &pin_o,
                            &inverse_e, &inverse_o, &value_e, &value_o, &rhs_e, &rhs_o})
      *plane = Plane<T>(layout);
    interpolation = Interpolation<T>(shape.between);
  }

  int first(int member) const { return cuts[static_cast<std::size_t>(member)]; }
  int last(int member) const { return cuts[static_cast<std::size_t>(member) + 1]; }

  template <class Work>
  void across(int y, Work work) const {
    crevasse::across(layout, spans, y, work);
  }

  T diagonal(int y, int column) const {
    const T inv = (column % 2 ? inverse_o : inverse_e).row(y)[column / 2];
    return inv > 0 ? 1 / inv : 0;
  }
  T rhs(int y, int column) const { return (column % 2 ? rhs_o : rhs_e).row(y)[column / 2]; }
  void add(int y, int column, T value) { (column % 2 ? value_o : value_e).row(y)[column / 2] += value; }
  void set(int y, int column, T value) { (column % 2 ? value_o : value_e).row(y)[column / 2] = value; }
  T pin(int y, int column) const { return (column % 2 ? pin_o : pin_e).row(y)[column / 2]; }

  // Weight of the edge to the neighbour in that direction.
  T link(int y, int column, const Direction& to) const {
    if (to.down < 0) return link(y - 1, column + to.right, {1, -to.right});
    if (to.down == 0 && to.right < 0) return link(y, column - 1, {0, 1});
    const int j = column / 2;
    const bool odd = column % 2 != 0;
    if (to.down == 0) return odd ? outer.row(y)[j + 1] : inner.row(y)[j];
    if (to.right == 0) return (odd ? down_o : down_e).row(y)[j];
    if (to.right > 0) return (odd ? right_o : right_e).row(y)[j];
    return (odd ? left_o : left_e).row(y)[j];
  }
};

}  // namespace crevasse
