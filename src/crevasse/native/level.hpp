// A coarse level of the multigrid hierarchy: a symmetric 9-point operator on a grid split by column parity.
//
// The operator is kept as edge weights (and `pin`, what the diagonal has beyond their sum), so that weak links
// keep their relative precision and constants stay in its kernel. Points have four colours by the parity of
// their row and column: C (even, even) is the next coarse level, H (even, odd) and V (odd, even) lie between two
// coarse points, X (odd, odd) between four.
#pragma once

#include <cmath>
#include <cstring>
#include <vector>

#include "blocks.hpp"
#include "chains.hpp"
#include "packing.hpp"
#include "team.hpp"

namespace crevasse {

template <class T>
inline T inverse(T value) {
  return value > 0 ? 1 / value : 0;
}

template <class T>
inline T smaller_of(T first, T second) {
  return second < first ? second : first;
}

// How a level's H and V points take their values from the coarse points beside them.
template <class T>
struct Interpolation {
  Plane<T> left, right;  // H: coarse row i, half column k
  Plane<T> up, down;     // V: of row 2i + 1

  Interpolation() = default;
  explicit Interpolation(const Layout& layout) {
    for (Plane<T>* plane : {&left, &right, &up, &down}) *plane = Plane<T>(layout);
  }
};

// How far a point that takes `part` of its value from a coarse point can stand for it: fully from a half on.
template <class T>
inline T mostly(T part) {
  return part < T(0.5) ? 2 * part : T(1);
}

// Shares of both ends of a link: towards `first` and towards `second`.
template <class T>
inline void share(T first, T second, T& to_first, T& to_second) {
  first = first > 0 ? first : 0;
  second = second > 0 ? second : 0;
  const T scale = inverse(first + second);
  // Exactly 1 where the other end is not there.
  to_first = second > 0 ? first * scale : (first > 0 ? 1 : 0);
  to_second = first > 0 ? second * scale : (second > 0 ? 1 : 0);
}

// Where a neighbour lies.
struct Side {
  int down, right;
};
constexpr Side SIDES[] = {{-1, -1}, {-1, 0}, {-1, 1}, {0, -1}, {0, 1}, {1, -1}, {1, 0}, {1, 1}};

template <class T>
struct Level {
  using Row = const T* __restrict;
  using Out = T* __restrict;

  Layout layout;
  Spans spans;
  std::vector<int> cuts;  // rows at which the members' shares begin
  bool solo = false;      // too small to share: member 0 does it all
  // Edges: E-O in a half column, O-E between half columns, and from a row to the next.
  Plane<T> inner, outer, down_e, down_o, right_e, left_e, right_o, left_o;
  Plane<T> pin_e, pin_o, inverse_e, inverse_o;
  Plane<T> value_e, value_o, side_e, side_o;
  Interpolation<T> interpolation;
  Chains<T> beside, below;  // strips in odd rows and in odd columns

  explicit Level(const Shape& shape) : layout(shape.layout), spans(shape.spans) {
    for (Plane<T>* plane :
         {&inner, &outer, &down_e, &down_o, &right_e, &left_e, &right_o, &left_o, &pin_e, &pin_o, &inverse_e,
          &inverse_o, &value_e, &value_o, &side_e, &side_o})
      *plane = Plane<T>(layout);
    interpolation = Interpolation<T>(shape.between);
  }

  int first(int member) const { return cuts[static_cast<std::size_t>(member)]; }
  int last(int member) const { return cuts[static_cast<std::size_t>(member) + 1]; }

  template <class Work>
  void across(int y, Work work) const {
    crevasse::across(layout, spans, y, work);
  }

  // Gauss-Seidel at the even-column points of row y; pull: what the eight neighbours do, the sum of weight * value.
  void relax_even(int y) {
    const Index next = layout.to_next(y), last = layout.to_next(y - 1);
    Row hi = flat(inner), ho = flat(outer), v = flat(down_e), r = flat(right_e), l = flat(left_e);
    Row ro = flat(right_o), lo = flat(left_o), o = flat(value_o), b = flat(side_e), inv = flat(inverse_e);
    Out e = flat(value_e);
    across(y, [&](Index i) {
      const T pull =
          ((hi[i] * o[i] + ho[i] * o[i - 1]) + (v[i] * e[i + next] + v[i - last] * e[i - last])) +
          ((r[i] * o[i + next] + l[i] * o[i + next - 1]) + (ro[i - last - 1] * o[i - last - 1] + lo[i - last] * o[i - last]));
      e[i] = (b[i] + pull) * inv[i];
    });
  }

  void relax_odd(int y) {
    const Index next = layout.to_next(y), last = layout.to_next(y - 1);
    Row hi = flat(inner), ho = flat(outer), v = flat(down_o), r = flat(right_o), l = flat(left_o);
    Row re = flat(right_e), le = flat(left_e), e = flat(value_e), b = flat(side_o), inv = flat(inverse_o);
    Out o = flat(value_o);
    across(y, [&](Index i) {
      const T pull =
          ((hi[i] * e[i] + ho[i + 1] * e[i + 1]) + (v[i] * o[i + next] + v[i - last] * o[i - last])) +
          ((r[i] * e[i + next + 1] + l[i] * e[i + next]) + (re[i - last] * e[i - last] + le[i - last + 1] * e[i - last + 1]));
      o[i] = (b[i] + pull) * inv[i];
    });
  }

  // Gauss-Seidel from value 0 in the order C, H, V, X; even rows, then odd rows.
  void relax_first_even(int y) {
    Row hi = flat(inner), ho = flat(outer), be = flat(side_e), bo = flat(side_o);
    Row ie = flat(inverse_e), io = flat(inverse_o);
    Out e = flat(value_e);
    Out o = flat(value_o);
    // The neighbour is worked out again: just written, and across two blocks, it would have to be waited for.
    across(y, [&](Index i) {
      e[i] = be[i] * ie[i];
      o[i] = (bo[i] + (hi[i] * e[i] + ho[i + 1] * (be[i + 1] * ie[i + 1]))) * io[i];
    });
  }

  void relax_first_odd(int y) {
    const Index next = layout.to_next(y), last = layout.to_next(y - 1);
    Row v = flat(down_e), r = flat(right_e), l = flat(left_e), ro = flat(right_o), lo = flat(left_o);
    Row o = flat(value_o), b = flat(side_e), inv = flat(inverse_e);
    Out e = flat(value_e);
    across(y, [&](Index i) {
      const T pull =
          (v[i] * e[i + next] + v[i - last] * e[i - last]) +
          ((r[i] * o[i + next] + l[i] * o[i + next - 1]) + (ro[i - last - 1] * o[i - last - 1] + lo[i - last] * o[i - last]));
      e[i] = (b[i] + pull) * inv[i];
    });
    relax_odd(y);
  }

  // Right sides of `count` coarse points from half column `begin` of coarse row i on, after the first sweep: what is
  // left at C, H and V there is what the points relaxed after them pull (nothing is left at X).
  void restrict_row(int i, int begin, int count, Out coarse) const {
    const Index row = layout.index(2 * i), next = layout.to_next(2 * i), last = layout.to_next(2 * i - 1);
    Row hi = flat(inner) + row, ho = flat(outer) + row, v = flat(down_e) + row, vo = flat(down_o) + row;
    Row r = flat(right_e) + row, l = flat(left_e) + row, ro = flat(right_o) + row, lo = flat(left_o) + row;
    Row e = flat(value_e) + row, o = flat(value_o) + row;
    Row al = interpolation.left.row(i), ar = interpolation.right.row(i);
    Row up = interpolation.up.row(i), dm = interpolation.down.row(i - 1);
    const auto beside = [&](Index k) {
      return (vo[k] * o[k + next] + vo[k - last] * o[k - last]) +
             ((ro[k] * e[k + next + 1] + lo[k] * e[k + next]) + (r[k - last] * e[k - last] + l[k - last + 1] * e[k - last + 1]));
    };
    each(begin, count, [&](Index k) {
      const T here = ((hi[k] * o[k] + ho[k] * o[k - 1]) + (v[k] * e[k + next] + v[k - last] * e[k - last])) +
                     ((r[k] * o[k + next] + l[k] * o[k + next - 1]) + (ro[k - last - 1] * o[k - last - 1] + lo[k - last] * o[k - last]));
      const T below = hi[k + next] * o[k + next] + ho[k + next] * o[k + next - 1];
      const T above = hi[k - last] * o[k - last] + ho[k - last] * o[k - last - 1];
      coarse[k] = here + ((al[k] * beside(k) + ar[k - 1] * beside(k - 1)) + (up[k] * below + dm[k] * above));
    });
  }

  // Adds the coarse correction at C and H of row 2i.
  void correct_even(int i, int begin, int end, Row coarse) {
    Row al = interpolation.left.row(i), ar = interpolation.right.row(i);
    Out e = value_e.row(2 * i);
    Out o = value_o.row(2 * i);
    each(begin, end - begin, [&](Index k) {
      e[k] += coarse[k];
      o[k] += al[k] * coarse[k] + ar[k] * coarse[k + 1];
    });
  }

  // Adds it at V of row 2i + 1.
  void correct_odd(int i, int begin, int end, Row coarse, Row below) {
    Row up = interpolation.up.row(i), dn = interpolation.down.row(i);
    Out e = value_e.row(2 * i + 1);
    each(begin, end - begin, [&](Index k) { e[k] += up[k] * coarse[k] + dn[k] * below[k]; });
  }

  // Inverse diagonals of row y.
  void invert_row(int y) {
    const Index last = layout.to_next(y - 1);
    Row hi = flat(inner), ho = flat(outer), pe = flat(pin_e), po = flat(pin_o);
    Row ve = flat(down_e), re = flat(right_e), le = flat(left_e);
    Row vo = flat(down_o), ro = flat(right_o), lo = flat(left_o);
    Out ie = flat(inverse_e);
    Out io = flat(inverse_o);
    across(y, [&](Index i) {
      const T even = ((hi[i] + ho[i]) + (ve[i] + ve[i - last])) + ((re[i] + le[i]) + (ro[i - last - 1] + lo[i - last]));
      const T odd = ((hi[i] + ho[i + 1]) + (vo[i] + vo[i - last])) + ((ro[i] + lo[i]) + (re[i - last] + le[i - last + 1]));
      ie[i] = inverse(even + pe[i]);
      io[i] = inverse(odd + po[i]);
    });
  }

  T diagonal(int y, int column) const {
    const T inv = (column % 2 ? inverse_o : inverse_e).row(y)[column / 2];
    return inv > 0 ? 1 / inv : 0;
  }
  T side(int y, int column) const { return (column % 2 ? side_o : side_e).row(y)[column / 2]; }
  void add(int y, int column, T value) { (column % 2 ? value_o : value_e).row(y)[column / 2] += value; }
  void set(int y, int column, T value) { (column % 2 ? value_o : value_e).row(y)[column / 2] = value; }
  T pin(int y, int column) const { return (column % 2 ? pin_o : pin_e).row(y)[column / 2]; }

  // The link to the neighbour on that side.
  T link(int y, int column, const Side& side) const {
    if (side.down < 0) return link(y - 1, column + side.right, {1, -side.right});
    if (side.down == 0 && side.right < 0) return link(y, column - 1, {0, 1});
    const int j = column / 2;
    const bool odd = column % 2 != 0;
    if (side.down == 0) return odd ? outer.row(y)[j + 1] : inner.row(y)[j];
    if (side.right == 0) return (odd ? down_o : down_e).row(y)[j];
    if (side.right > 0) return (odd ? right_o : right_e).row(y)[j];
    return (odd ? left_o : left_e).row(y)[j];
  }

  // Finds the strips of this level.
  void find_chains() {
    beside.clear();
    below.clear();
    for (int y = 1; y < layout.rows; y += 2) find_beside(y);
    find_below();
  }

  void find_beside(int y) {
    Row w = outer.row(y), e = inner.row(y), n = down_e.row(y - 1), nw = right_o.row(y - 1), ne = left_o.row(y - 1);
    Row s = down_e.row(y), se = right_e.row(y), sw = left_e.row(y);
    const auto loose = [&](int k) {
      const T across = (n[k] + nw[k - 1] + ne[k]) + (s[k] + se[k] + sw[k]);
      return across < T(LOOSE) * smaller_of(w[k], e[k]);
    };
    int after = -1;  // the half column that would go on with the open chain
    each_found(spans, y, loose, [&](int k) {
      if (k != after) {
        if (after >= 0) beside.close();
        beside.add({y, 2 * k - 1}, diagonal(y, 2 * k - 1), 0);
      }
      beside.add({y, 2 * k}, diagonal(y, 2 * k), w[k]);
      beside.add({y, 2 * k + 1}, diagonal(y, 2 * k + 1), e[k]);
      after = k + 1;
    });
    if (after >= 0) beside.close();
  }

  // By rows first, since columns lie far apart in memory; loose points are few.
  void find_below() {
    std::vector<std::pair<int, int>> loose;
    for (int y = 2; y < layout.rows; y += 2) {
      Row n = down_o.row(y - 1), s = down_o.row(y), w = inner.row(y), e = outer.row(y) + 1;
      Row nw = right_e.row(y - 1), sw = left_o.row(y), ne = left_e.row(y - 1) + 1, se = right_o.row(y);
      const auto is_loose = [&](int k) {
        const T across = (w[k] + nw[k] + sw[k]) + (e[k] + ne[k] + se[k]), least = smaller_of(n[k], s[k]);
        return bool((least > 0) & (across < T(LOOSE) * least));
      };
      each_found(spans, y, is_loose, [&](int k) { loose.emplace_back(k, y); });
    }
    std::sort(loose.begin(), loose.end());
    for (std::size_t at = 0; at < loose.size(); ++at) {
      const auto [k, y] = loose[at];
      const int column = 2 * k + 1;
      const bool follows = at > 0 && loose[at - 1].first == k && loose[at - 1].second == y - 2;
      if (!follows) {
        if (at > 0) below.close();
        below.add({y - 1, column}, diagonal(y - 1, column), 0);
      }
      below.add({y, column}, diagonal(y, column), down_o.row(y - 1)[k]);
      below.add({y + 1, column}, diagonal(y + 1, column), down_o.row(y)[k]);
    }
    if (!loose.empty()) below.close();
  }

  // Adds the strips' own solutions to the values.
  void solve_chains(std::vector<T>& line) {
    for (const Chains<T>* chains : {&beside, &below})
      for (std::size_t c = 0; c < chains->count(); ++c)
        chains->solve(
            c, line, [&](auto p) { return side(p.row, p.column); }, [&](auto p, T value) { add(p.row, p.column, value); });
  }

  // Interpolation of V in row 2i + 1 from its links to C alone.
  void interpolate_first(int i) {
    const int y = 2 * i + 1;
    if (y >= layout.rows) return;
    Row n = down_e.row(y - 1), s = down_e.row(y);
    Out up = interpolation.up.row(i);
    Out dn = interpolation.down.row(i);
    each_column(spans, y, [&](Index k) { share(n[k], s[k], up[k], dn[k]); });
  }

  // Interpolation of H in row 2i: its links to C, and those to each V for as much as that V follows the same C.
  void interpolate_beside(int i) {
    const int y = 2 * i;
    Row hi = inner.row(y), ho = outer.row(y), nw = right_e.row(y - 1), ne = left_e.row(y - 1);
    Row se = right_o.row(y), sw = left_o.row(y), up = interpolation.up.row(i), dm = interpolation.down.row(i - 1);
    Out al = interpolation.left.row(i);
    Out ar = interpolation.right.row(i);
    each_column(spans, y, [&](Index k) {
      share(hi[k] + (nw[k] * mostly(dm[k]) + sw[k] * mostly(up[k])),
            ho[k + 1] + (ne[k + 1] * mostly(dm[k + 1]) + se[k] * mostly(up[k + 1])), al[k], ar[k]);
    });
  }

  // Interpolation of V in row 2i + 1, likewise.
  void interpolate_below(int i) {
    const int y = 2 * i + 1;
    if (y >= layout.rows) return;
    Row n = down_e.row(y - 1), nw = right_o.row(y - 1), ne = left_o.row(y - 1);
    Row s = down_e.row(y), se = right_e.row(y), sw = left_e.row(y);
    Row al = interpolation.left.row(i), ar = interpolation.right.row(i);
    Row al1 = interpolation.left.row(i + 1), ar1 = interpolation.right.row(i + 1);
    Out up = interpolation.up.row(i);
    Out dn = interpolation.down.row(i);
    each_column(spans, y, [&](Index k) {
      share(n[k] + (nw[k - 1] * mostly(ar[k - 1]) + ne[k] * mostly(al[k])),
            s[k] + (se[k] * mostly(al1[k]) + sw[k] * mostly(ar1[k - 1])), up[k], dn[k]);
    });
  }
};

// The edges inside the square of four coarse points (i, k), (i, k+1), (i+1, k), (i+1, k+1), row pointers at k:
// c-h, h-c' above; c-v, v-c'' at the left; h-x, x-h', v-x, x-v' inside; then the diagonals, null on the finest level.
template <class T>
struct Cell {
  using Row = const T* __restrict;
  using Out = T* __restrict;

  Row c_h, h_c, c_v, v_c, h_x, x_h, v_x, x_v;
  Row c_x, d_x, h_w, h_v, v_h, w_h, x_e, x_f;  // nw-x, ne-x, h-v', h-v, v-h', v'-h', x-sw, x-se
  Row pin_c, pin_h, pin_v, pin_x;
  Row left, right, up, down;          // interpolation of h (above) and v (left)
  Row left1, right1, up1, down1;      // of h' (below); of v' (right) it is up1[k] = up[k + 1]
};

// Galerkin products of one row of cells: edges among the four corners and what pins add to each of them.
struct Products {
  std::vector<double> above, left, main, anti, below, right, nw, ne, sw, se;
  explicit Products(std::size_t size)
      : above(size), left(size), main(size), anti(size), below(size), right(size), nw(size), ne(size), sw(size),
        se(size) {}
};

inline double clean(double value, double least) { return std::fabs(value) > least ? value : 0.0; }

template <class T>
inline double rest(T first, T second) {
  return second > 0 ? 1.0 - static_cast<double>(first) : 0.0;
}

// Pulls a cell's quadratic form back to its corners: with h = l nw + r ne and so on, and x by its own equation.
template <bool Diagonals, class T>
inline void multiply_cells(const Cell<T>& cell, int begin, int end, Products& out) {
  using Row = const T* __restrict;
  Row c_h = cell.c_h, h_c = cell.h_c, c_v = cell.c_v, v_c = cell.v_c, h_x = cell.h_x, x_h = cell.x_h;
  Row v_x = cell.v_x, x_v = cell.x_v, c_x = cell.c_x, d_x = cell.d_x, h_w = cell.h_w, h_v = cell.h_v;
  Row v_h = cell.v_h, w_h = cell.w_h, x_e = cell.x_e, x_f = cell.x_f;
  Row pin_c = cell.pin_c, pin_h = cell.pin_h, pin_v = cell.pin_v, pin_x = cell.pin_x;
  Row left = cell.left, right = cell.right, up = cell.up, down = cell.down;
  Row left1 = cell.left1, right1 = cell.right1, up1 = cell.up1, down1 = cell.down1;
  double* __restrict above = out.above.data() + MARGIN;
  double* __restrict beside = out.left.data() + MARGIN;
  double* __restrict main = out.main.data() + MARGIN;
  double* __restrict anti = out.anti.data() + MARGIN;
  double* __restrict below = out.below.data() + MARGIN;
  double* __restrict after = out.right.data() + MARGIN;
  double* __restrict nw = out.nw.data() + MARGIN;
  double* __restrict ne = out.ne.data() + MARGIN;
  double* __restrict sw = out.sw.data() + MARGIN;
  double* __restrict se = out.se.data() + MARGIN;
  CREVASSE_LANES
  for (int k = begin; k < end; ++k) {
    // Rows of the interpolation over (nw, ne, sw, se).
    // Both shares of a link sum to 1 exactly, so that constants stay in the kernel.
    const double ha = left[k], hb = rest(left[k], right[k]);    // h: nw, ne
    const double ga = left1[k], gb = rest(left1[k], right1[k]);  // h': sw, se
    const double va = up[k], vb = rest(up[k], down[k]);          // v: nw, sw
    const double wa = up1[k], wb = rest(up1[k], down1[k]);       // v': ne, se
    const double wh = h_x[k], wg = x_h[k], wv = v_x[k], ww = x_v[k];
    double d1 = 0, d2 = 0, d3 = 0, d4 = 0, e1 = 0, e2 = 0, e3 = 0, e4 = 0, pc = 0, ph = 0, pv = 0, px = 0;
    if (Diagonals) {
      d1 = c_x[k]; d2 = d_x[k]; d3 = x_e[k]; d4 = x_f[k];
      e1 = h_v[k]; e2 = h_w[k]; e3 = v_h[k]; e4 = w_h[k];
      pc = pin_c[k]; ph = pin_h[k]; pv = pin_v[k]; px = pin_x[k];
    }
    // x: its own equation.
    const double d = ((wh + wg) + (wv + ww)) + ((d1 + d2) + (d3 + d4)) + px;
    const double s = d > 0 ? 1 / d : 0.0;
    const double m1 = wh * ha + wv * va + d1, m2 = wh * hb + ww * wa + d2;
    const double m3 = wg * ga + wv * vb + d3, m4 = wg * gb + ww * wb + d4;
    const double x1 = m1 * s, x2 = m2 * s, x3 = m3 * s, x4 = m4 * s;
    // Off-diagonal entries (negative edge weights) of sum w (P_f - P_g)(P_f - P_g)^T.
    const double hh = wh + e1 + e2 + ph, gg = wg + e3 + e4, vv = wv + e1 + e3 + pv, uu = ww + e2 + e4;
    double m12 = hh * ha * hb - m1 * x2;
    double m13 = vv * va * vb - m1 * x3;
    double m24 = uu * wa * wb - m2 * x4;
    double m34 = gg * ga * gb - m3 * x4;
    double m14 = -m1 * x4, m23 = -m2 * x3;
    double m11 = hh * ha * ha + vv * va * va + d1 - m1 * x1;
    double m22 = hh * hb * hb + uu * wa * wa + d2 - m2 * x2;
    double m33 = vv * vb * vb + gg * ga * ga + d3 - m3 * x3;
    double m44 = gg * gb * gb + uu * wb * wb + d4 - m4 * x4;
    if (Diagonals) {
      // Cross terms of the diagonal edges h-v, h-v', v-h', v'-h'.
      m11 -= 2 * e1 * ha * va; m12 -= e1 * hb * va; m13 -= e1 * ha * vb; m23 -= e1 * hb * vb;
      m22 -= 2 * e2 * hb * wa; m12 -= e2 * ha * wa; m24 -= e2 * hb * wb; m14 -= e2 * ha * wb;
      m33 -= 2 * e3 * vb * ga; m13 -= e3 * va * ga; m34 -= e3 * vb * gb; m14 -= e3 * va * gb;
      m44 -= 2 * e4 * wb * gb; m24 -= e4 * wa * gb; m34 -= e4 * wb * ga; m23 -= e4 * wa * ga;
    }
    // The edges above and at the left belong to this cell alone.
    const double ch = c_h[k], hc = h_c[k], cv = c_v[k], vc = v_c[k];
    m11 += ch * (1 - ha) * (1 - ha) + hc * ha * ha + cv * (1 - va) * (1 - va) + vc * va * va + pc;
    m22 += ch * hb * hb + hc * (1 - hb) * (1 - hb);
    m12 += -ch * (1 - ha) * hb - hc * ha * (1 - hb);
    m33 += cv * vb * vb + vc * (1 - vb) * (1 - vb);
    m13 += -cv * (1 - va) * vb - vc * va * (1 - vb);
    // Where everything cancels, only rounding is left: without the cut-off a point with no links would have some.
    const double size = ((hh + gg) + (vv + uu)) + ((ch + hc) + (cv + vc)) + ((d1 + d2) + (d3 + d4)) + (pc + px);
    const double least = 1e-13 * size, least_pin = 1e-9 * size;
    above[k] = clean(-m12, least);
    beside[k] = clean(-m13, least);
    after[k] = clean(-m24, least);
    below[k] = clean(-m34, least);
    main[k] = clean(-m14, least);
    anti[k] = clean(-m23, least);
    nw[k] = clean((m11 + m12) + (m13 + m14), least_pin);
    ne[k] = clean((m22 + m12) + (m23 + m24), least_pin);
    sw[k] = clean((m33 + m13) + (m23 + m34), least_pin);
    se[k] = clean((m44 + m14) + (m24 + m34), least_pin);
  }
}

}  // namespace crevasse
