// Operator-dependent interpolation, as in black-box multigrid: points follow their strongest edges.
#pragma once

#include "fine_level.hpp"
#include "level.hpp"

namespace crevasse {

// Interpolation of H in row 2i and of V in row 2i + 1 of the finest level, which have edges to C and X only.
template <class T>
void interpolate_fine(FineLevel<T>& fine, int i) {
  const int y = 2 * i;
  In<T> in = fine.inner.row(y), out = fine.outer.row(y), above = fine.down_red.row(y),
        below = fine.down_black.row(y + 1);
  Out<T> al = fine.interpolation.left.row(i);
  Out<T> ar = fine.interpolation.right.row(i);
  Out<T> up = fine.interpolation.up.row(i);
  Out<T> dn = fine.interpolation.down.row(i);
  each_column(fine.spans, y, [&](Index k) { share(in[k], out[k + 1], al[k], ar[k]); });
  if (y + 1 >= fine.layout.rows) return;
  each_column(fine.spans, y + 1, [&](Index k) { share(above[k], below[k], up[k], dn[k]); });
}

// Interpolation of V in row 2i + 1 from its edges to C alone.
template <class T>
void interpolate_v_from_c(Level<T>& level, int i) {
  const int y = 2 * i + 1;
  if (y >= level.layout.rows) return;
  In<T> n = level.down_e.row(y - 1), s = level.down_e.row(y);
  Out<T> up = level.interpolation.up.row(i);
  Out<T> dn = level.interpolation.down.row(i);
  each_column(level.spans, y, [&](Index k) { share(n[k], s[k], up[k], dn[k]); });
}

// Interpolation of H in row 2i: from its edges to C, and from those to each V as far as that V follows the same C.
template <class T>
void interpolate_h(Level<T>& level, int i) {
  const int y = 2 * i;
  In<T> hi = level.inner.row(y), ho = level.outer.row(y), nw = level.right_e.row(y - 1), ne = level.left_e.row(y - 1);
  In<T> se = level.right_o.row(y), sw = level.left_o.row(y), up = level.interpolation.up.row(i),
        dm = level.interpolation.down.row(i - 1);
  Out<T> al = level.interpolation.left.row(i);
  Out<T> ar = level.interpolation.right.row(i);
  each_column(level.spans, y, [&](Index k) {
    share(hi[k] + (nw[k] * mostly(dm[k]) + sw[k] * mostly(up[k])),
          ho[k + 1] + (ne[k + 1] * mostly(dm[k + 1]) + se[k] * mostly(up[k + 1])), al[k], ar[k]);
  });
}

// Interpolation of V in row 2i + 1, in the same way.
template <class T>
void interpolate_v(Level<T>& level, int i) {
  const int y = 2 * i + 1;
  if (y >= level.layout.rows) return;
  In<T> n = level.down_e.row(y - 1), nw = level.right_o.row(y - 1), ne = level.left_o.row(y - 1);
  In<T> s = level.down_e.row(y), se = level.right_e.row(y), sw = level.left_e.row(y);
  In<T> al = level.interpolation.left.row(i), ar = level.interpolation.right.row(i);
  In<T> al1 = level.interpolation.left.row(i + 1), ar1 = level.interpolation.right.row(i + 1);
  Out<T> up = level.interpolation.up.row(i);
  Out<T> dn = level.interpolation.down.row(i);
  each_column(level.spans, y, [&](Index k) {
    share(n[k] + (nw[k - 1] * mostly(ar[k - 1]) + ne[k] * mostly(al[k])),
          s[k] + (se[k] * mostly(al1[k]) + sw[k] * mostly(ar1[k - 1])), up[k], dn[k]);
  });
}

}  // namespace crevasse
