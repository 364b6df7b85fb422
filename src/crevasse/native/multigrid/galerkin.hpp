// Galerkin products: the quadratic form of a level, expressed in the points of the next coarser one.
//
// The form is a sum over cells, the squares of four coarse points nw, ne, sw, se. Between these lie h (above), h'
// (below), v (left), v' (right) and x (inside), whose values follow from the corners: h = ha nw + hb ne and so on, and
// x from its own equation.
#pragma once

#include <cmath>
#include <vector>

#include "../grid/loops.hpp"

namespace crevasse {

// What a level's points have besides their edges along rows and columns.
enum class Extras { NOTHING, PINS, PINS_AND_DIAGONALS };

// Edges of a row of cells, as pointers to the rows of their weights: c-h, h-c' above; c-v, v-c'' at the left; h-x,
// x-h', v-x, x-v' inside; then the diagonals, null on the finest level, and the pins, null where there are none.
template <class T>
struct Cell {
  In<T> c_h, h_c, c_v, v_c, h_x, x_h, v_x, x_v;
  In<T> c_x, d_x, h_w, h_v, v_h, w_h, x_e, x_f;  // nw-x, ne-x, h-v', h-v, v-h', v'-h', x-sw, x-se
  In<T> pin_c, pin_h, pin_v, pin_x;
  In<T> left, right, up, down;      // interpolation of h and v
  In<T> left1, right1, up1, down1;  // of h' and v'
};

// Products of one row of cells: edges among the four corners, and what pins add to each of them.
struct Products {
  std::vector<double> above, left, main, anti, below, right, nw, ne, sw, se;
  explicit Products(std::size_t size)
      : above(size), left(size), main(size), anti(size), below(size), right(size), nw(size), ne(size), sw(size),
        se(size) {}

  void clear() {
    for (auto* values : {&above, &left, &main, &anti, &below, &right, &nw, &ne, &sw, &se})
      std::fill(values->begin(), values->end(), 0.0);
  }
};

// Shares of the corners in h, h', v and v'. The two shares of a point add up to 1 exactly, so that constants stay in
// the kernel.
struct CellShares {
  double ha, hb;  // h: nw, ne
  double ga, gb;  // h': sw, se
  double va, vb;  // v: nw, sw
  double wa, wb;  // v': ne, se

  template <class T>
  CREVASSE_INLINE CellShares(const Cell<T>& cell, int k)
      : ha(cell.left[k]), hb(rest(cell.left[k], cell.right[k])), ga(cell.left1[k]),
        gb(rest(cell.left1[k], cell.right1[k])), va(cell.up[k]), vb(rest(cell.up[k], cell.down[k])), wa(cell.up1[k]),
        wb(rest(cell.up1[k], cell.down1[k])) {}

 private:
  template <class T>
  static CREVASSE_INLINE double rest(T first, T second) {
    return second > 0 ? 1.0 - static_cast<double>(first) : 0.0;
  }
};

// Edge weights of one cell.
template <Extras E>
struct CellEdges {
  double ch, hc, cv, vc;                  // above and at the left: these belong to this cell alone
  double wh, wg, wv, ww;                  // x to h, h', v, v'
  double d1 = 0, d2 = 0, d3 = 0, d4 = 0;  // x to the corners
  double e1 = 0, e2 = 0, e3 = 0, e4 = 0;  // h-v, h-v', v-h', v'-h'
  double pc = 0, ph = 0, pv = 0, px = 0;  // pins

  template <class T>
  CREVASSE_INLINE CellEdges(const Cell<T>& cell, int k)
      : ch(cell.c_h[k]), hc(cell.h_c[k]), cv(cell.c_v[k]), vc(cell.v_c[k]), wh(cell.h_x[k]), wg(cell.x_h[k]),
        wv(cell.v_x[k]), ww(cell.x_v[k]) {
    if (E == Extras::NOTHING) return;
    pc = cell.pin_c[k];
    ph = cell.pin_h[k];
    pv = cell.pin_v[k];
    px = cell.pin_x[k];
    if (E == Extras::PINS) return;
    d1 = cell.c_x[k];
    d2 = cell.d_x[k];
    d3 = cell.x_e[k];
    d4 = cell.x_f[k];
    e1 = cell.h_v[k];
    e2 = cell.h_w[k];
    e3 = cell.v_h[k];
    e4 = cell.w_h[k];
  }
};

// The form of a cell as a symmetric matrix over its corners nw, ne, sw, se.
template <Extras E>
struct CellForm {
  double m11, m22, m33, m44, m12, m13, m24, m34, m14, m23;
  double size;  // sum of all weights

  CREVASSE_INLINE CellForm(const CellEdges<E>& edges, const CellShares& shares) {
    add_inside(edges, shares);
    if (E == Extras::PINS_AND_DIAGONALS) add_cross_terms(edges, shares);
    add_border(edges, shares);
  }

 private:
  // The edges of x, with x eliminated, and the diagonal terms of the edges between h, h', v and v'.
  CREVASSE_INLINE void add_inside(const CellEdges<E>& e, const CellShares& s) {
    const double d = ((e.wh + e.wg) + (e.wv + e.ww)) + ((e.d1 + e.d2) + (e.d3 + e.d4)) + e.px;
    const double scale = d > 0 ? 1 / d : 0.0;
    const double m1 = e.wh * s.ha + e.wv * s.va + e.d1, m2 = e.wh * s.hb + e.ww * s.wa + e.d2;
    const double m3 = e.wg * s.ga + e.wv * s.vb + e.d3, m4 = e.wg * s.gb + e.ww * s.wb + e.d4;
    const double x1 = m1 * scale, x2 = m2 * scale, x3 = m3 * scale, x4 = m4 * scale;
    const double hh = e.wh + e.e1 + e.e2 + e.ph, gg = e.wg + e.e3 + e.e4;
    const double vv = e.wv + e.e1 + e.e3 + e.pv, uu = e.ww + e.e2 + e.e4;
    m12 = hh * s.ha * s.hb - m1 * x2;
    m13 = vv * s.va * s.vb - m1 * x3;
    m24 = uu * s.wa * s.wb - m2 * x4;
    m34 = gg * s.ga * s.gb - m3 * x4;
    m14 = -m1 * x4;
    m23 = -m2 * x3;
    m11 = hh * s.ha * s.ha + vv * s.va * s.va + e.d1 - m1 * x1;
    m22 = hh * s.hb * s.hb + uu * s.wa * s.wa + e.d2 - m2 * x2;
    m33 = vv * s.vb * s.vb + gg * s.ga * s.ga + e.d3 - m3 * x3;
    m44 = gg * s.gb * s.gb + uu * s.wb * s.wb + e.d4 - m4 * x4;
    size = ((hh + gg) + (vv + uu)) + ((e.ch + e.hc) + (e.cv + e.vc)) + ((e.d1 + e.d2) + (e.d3 + e.d4)) + (e.pc + e.px);
  }

  // Cross terms of the diagonal edges h-v, h-v', v-h', v'-h'.
  CREVASSE_INLINE void add_cross_terms(const CellEdges<E>& e, const CellShares& s) {
    m11 -= 2 * e.e1 * s.ha * s.va;
    m12 -= e.e1 * s.hb * s.va;
    m13 -= e.e1 * s.ha * s.vb;
    m23 -= e.e1 * s.hb * s.vb;
    m22 -= 2 * e.e2 * s.hb * s.wa;
    m12 -= e.e2 * s.ha * s.wa;
    m24 -= e.e2 * s.hb * s.wb;
    m14 -= e.e2 * s.ha * s.wb;
    m33 -= 2 * e.e3 * s.vb * s.ga;
    m13 -= e.e3 * s.va * s.ga;
    m34 -= e.e3 * s.vb * s.gb;
    m14 -= e.e3 * s.va * s.gb;
    m44 -= 2 * e.e4 * s.wb * s.gb;
    m24 -= e.e4 * s.wa * s.gb;
    m34 -= e.e4 * s.wb * s.ga;
    m23 -= e.e4 * s.wa * s.ga;
  }

  // The edges above and at the left.
  CREVASSE_INLINE void add_border(const CellEdges<E>& e, const CellShares& s) {
    m11 += e.ch * (1 - s.ha) * (1 - s.ha) + e.hc * s.ha * s.ha + e.cv * (1 - s.va) * (1 - s.va) + e.vc * s.va * s.va +
           e.pc;
    m22 += e.ch * s.hb * s.hb + e.hc * (1 - s.hb) * (1 - s.hb);
    m12 += -e.ch * (1 - s.ha) * s.hb - e.hc * s.ha * (1 - s.hb);
    m33 += e.cv * s.vb * s.vb + e.vc * (1 - s.vb) * (1 - s.vb);
    m13 += -e.cv * (1 - s.va) * s.vb - e.vc * s.va * (1 - s.vb);
  }
};

CREVASSE_INLINE double clean(double value, double least) { return std::fabs(value) > least ? value : 0.0; }

// Products of the cells from `begin` to `end`.
template <Extras E, class T>
void multiply_cells(const Cell<T>& row, int begin, int end, Products& out) {
  const Cell<T> cell = row;
  Out<double> above = out.above.data() + MARGIN, left = out.left.data() + MARGIN, main = out.main.data() + MARGIN;
  Out<double> anti = out.anti.data() + MARGIN, below = out.below.data() + MARGIN, right = out.right.data() + MARGIN;
  Out<double> nw = out.nw.data() + MARGIN, ne = out.ne.data() + MARGIN;
  Out<double> sw = out.sw.data() + MARGIN, se = out.se.data() + MARGIN;
  CREVASSE_LANES
  for (int k = begin; k < end; ++k) {
    const CellForm<E> m(CellEdges<E>(cell, k), CellShares(cell, k));
    // Where everything cancels, only rounding is left: without the threshold an isolated point would get edges.
    const double least = 1e-13 * m.size, least_pin = 1e-9 * m.size;
    above[k] = clean(-m.m12, least);
    left[k] = clean(-m.m13, least);
    right[k] = clean(-m.m24, least);
    below[k] = clean(-m.m34, least);
    main[k] = clean(-m.m14, least);
    anti[k] = clean(-m.m23, least);
    nw[k] = clean((m.m11 + m.m12) + (m.m13 + m.m14), least_pin);
    ne[k] = clean((m.m22 + m.m12) + (m.m23 + m.m24), least_pin);
    sw[k] = clean((m.m33 + m.m13) + (m.m23 + m.m34), least_pin);
    se[k] = clean((m.m44 + m.m14) + (m.m24 + m.m34), least_pin);
  }
}

}  // namespace crevasse
