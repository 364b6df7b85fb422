// Smoother: four-colour Gauss-Seidel on a coarse level.
#pragma once

#include "level.hpp"

namespace crevasse {

// Gauss-Seidel at the even columns of row y; pull: the sum of weight * value over the eight neighbours.
template <class T>
void relax_even(Level<T>& level, int y) {
  const Index next = level.layout.to_next(y), last = level.layout.to_next(y - 1);
  In<T> hi = flat(level.inner), ho = flat(level.outer), v = flat(level.down_e), r = flat(level.right_e),
        l = flat(level.left_e);
  In<T> ro = flat(level.right_o), lo = flat(level.left_o), o = flat(level.value_o), b = flat(level.rhs_e),
        inv = flat(level.inverse_e);
  Out<T> e = flat(level.value_e);
  level.across(y, [&](Index i) {
    const T pull = ((hi[i] * o[i] + ho[i] * o[i - 1]) + (v[i] * e[i + next] + v[i - last] * e[i - last])) +
                   ((r[i] * o[i + next] + l[i] * o[i + next - 1]) +
                    (ro[i - last - 1] * o[i - last - 1] + lo[i - last] * o[i - last]));
    e[i] = (b[i] + pull) * inv[i];
  });
}

template <class T>
void relax_odd(Level<T>& level, int y) {
  const Index next = level.layout.to_next(y), last = level.layout.to_next(y - 1);
  In<T> hi = flat(level.inner), ho = flat(level.outer), v = flat(level.down_o), r = flat(level.right_o),
        l = flat(level.left_o);
  In<T> re = flat(level.right_e), le = flat(level.left_e), e = flat(level.value_e), b = flat(level.rhs_o),
        inv = flat(level.inverse_o);
  Out<T> o = flat(level.value_o);
  level.across(y, [&](Index i) {
    const T pull = ((hi[i] * e[i] + ho[i + 1] * e[i + 1]) + (v[i] * o[i + next] + v[i - last] * o[i - last])) +
                   ((r[i] * e[i + next + 1] + l[i] * e[i + next]) +
                    (re[i - last] * e[i - last] + le[i - last + 1] * e[i - last + 1]));
    o[i] = (b[i] + pull) * inv[i];
  });
}

// The first sweep, from value 0, in the order C, H, V, X: even rows, then odd rows.
template <class T>
void relax_first_even(Level<T>& level, int y) {
  In<T> hi = flat(level.inner), ho = flat(level.outer), be = flat(level.rhs_e), bo = flat(level.rhs_o);
  In<T> ie = flat(level.inverse_e), io = flat(level.inverse_o);
  Out<T> e = flat(level.value_e);
  Out<T> o = flat(level.value_o);
  // The neighbour's value is computed again: reading what was just written, across two blocks, would stall.
  level.across(y, [&](Index i) {
    e[i] = be[i] * ie[i];
    o[i] = (bo[i] + (hi[i] * e[i] + ho[i + 1] * (be[i + 1] * ie[i + 1]))) * io[i];
  });
}

template <class T>
void relax_first_odd(Level<T>& level, int y) {
  const Index next = level.layout.to_next(y), last = level.layout.to_next(y - 1);
  In<T> v = flat(level.down_e), r = flat(level.right_e), l = flat(level.left_e), ro = flat(level.right_o),
        lo = flat(level.left_o);
  In<T> o = flat(level.value_o), b = flat(level.rhs_e), inv = flat(level.inverse_e);
  Out<T> e = flat(level.value_e);
  level.across(y, [&](Index i) {
    const T pull = (v[i] * e[i + next] + v[i - last] * e[i - last]) +
                   ((r[i] * o[i + next] + l[i] * o[i + next - 1]) +
                    (ro[i - last - 1] * o[i - last - 1] + lo[i - last] * o[i - last]));
    e[i] = (b[i] + pull) * inv[i];
  });
  relax_odd(level, y);
}

// The backward sweep.
template <class T>
void relax_back(Level<T>& level, int y) {
  relax_odd(level, y);
  relax_even(level, y);
}

// At most 2 x 2 points: a few symmetric sweeps solve the system.
template <class T>
void solve_coarsest(Level<T>& level) {
  const int rows = level.layout.rows;
  const auto back = [&] {
    if (rows > 1) relax_back(level, 1);
    relax_back(level, 0);
  };
  relax_first_even(level, 0);
  if (rows > 1) relax_first_odd(level, 1);
  for (int sweep = 0; sweep < 3; ++sweep) {
    back();
    for (int y = 0; y < rows; ++y) {
      relax_even(level, y);
      relax_odd(level, y);
    }
  }
  back();
}

// Inverse diagonals of row y.
template <class T>
void invert_row(Level<T>& level, int y) {
  const Index last = level.layout.to_next(y - 1);
  In<T> hi = flat(level.inner), ho = flat(level.outer), pe = flat(level.pin_e), po = flat(level.pin_o);
  In<T> ve = flat(level.down_e), re = flat(level.right_e), le = flat(level.left_e);
  In<T> vo = flat(level.down_o), ro = flat(level.right_o), lo = flat(level.left_o);
  Out<T> ie = flat(level.inverse_e);
  Out<T> io = flat(level.inverse_o);
  level.across(y, [&](Index i) {
    const T even = ((hi[i] + ho[i]) + (ve[i] + ve[i - last])) + ((re[i] + le[i]) + (ro[i - last - 1] + lo[i - last]));
    const T odd =
        ((hi[i] + ho[i + 1]) + (vo[i] + vo[i - last])) + ((ro[i] + lo[i]) + (re[i - last] + le[i - last + 1]));
    ie[i] = inverse(even + pe[i]);
    io[i] = inverse(odd + po[i]);
  });
}

}  // namespace crevasse
