// Transfer between the finest level and the first coarse one: restriction and prolongation.
#pragma once

#include "fine_level.hpp"
#include "transfer.hpp"

namespace crevasse {

// Restriction: right-hand sides of coarse row i, from C itself and from X by way of the H and V beside it. residual: of
// the red points, divided by the diagonal at X; line: scratch space.
template <class T>
void restrict_fine(const FineLevel<T>& fine, const Plane<T>& residual, Level<T>& coarse, int i, Out<T> line) {
  const Index row = fine.layout.index(2 * i), next = fine.layout.to_next(2 * i), last = fine.layout.to_next(2 * i - 1);
  In<T> v = flat(residual) + row, hb = flat(fine.down_black) + row, ha = flat(fine.down_red) + row - last;
  In<T> in = flat(fine.inner) + row, out = flat(fine.outer) + row;
  In<T> al = fine.interpolation.left.row(i), ar = fine.interpolation.right.row(i);
  In<T> up = fine.interpolation.up.row(i), dm = fine.interpolation.down.row(i - 1);
  const auto beside = [&](Index k) { return hb[k] * v[k + next] + ha[k] * v[k - last]; };
  for (const Segment* part = coarse.spans.begin(i); part != coarse.spans.end(i); ++part) {
    const Index begin = 2 * part->begin, count = 2 * (part->end - part->begin);
    each(begin, count, [&](Index k) {
      const T below = out[k + next] * v[k + next - 1] + in[k + next] * v[k + next];
      const T above = out[k - last] * v[k - last - 1] + in[k - last] * v[k - last];
      line[k] = v[k] + ((al[k] * beside(k) + ar[k - 1] * beside(k - 1)) + (up[k] * below + dm[k] * above));
    });
    deinterleave<T>(line, *part, coarse.rhs_e.row(i), coarse.rhs_o.row(i));
  }
}

// Prolongation: the red values of row y with the coarse correction added to `relaxed`. line, below: scratch space.
template <class T>
void prolong_fine(const FineLevel<T>& fine, const Plane<T>& relaxed, const Level<T>& coarse, int y, Plane<T>& result,
                  Out<T> line, Out<T> below) {
  const int i = y / 2;
  In<T> u = relaxed.row(y);
  Out<T> x = result.row(y);
  if (y % 2 == 0) {
    for (const Segment* s = fine.spans.begin(y); s != fine.spans.end(y); ++s) {
      interleave(coarse, i, s->begin, s->end, line);
      each(s->begin, s->end - s->begin, [&](Index k) { x[k] = u[k] + line[k]; });
    }
    return;
  }
  In<T> al = fine.interpolation.left.row(i), ar = fine.interpolation.right.row(i);
  In<T> al1 = fine.interpolation.left.row(i + 1), ar1 = fine.interpolation.right.row(i + 1);
  In<T> up = fine.interpolation.up.row(i), dn = fine.interpolation.down.row(i);
  In<T> above = fine.down_black.row(y - 1), under = fine.down_red.row(y), in = fine.inner.row(y),
        out = fine.outer.row(y);
  In<T> inv = fine.inverse_red.row(y);
  for (const Segment* s = fine.spans.begin(y); s != fine.spans.end(y); ++s) {
    interleave(coarse, i, s->begin, s->end, line);
    interleave(coarse, i + 1, s->begin, s->end, below);
    each(s->begin, s->end - s->begin, [&](Index k) {
      const T h = al[k] * line[k] + ar[k] * line[k + 1], h1 = al1[k] * below[k] + ar1[k] * below[k + 1];
      const T v = up[k] * line[k] + dn[k] * below[k], v1 = up[k + 1] * line[k + 1] + dn[k + 1] * below[k + 1];
      x[k] = u[k] + ((above[k] * h + under[k] * h1) + (in[k] * v + out[k + 1] * v1)) * inv[k];
    });
  }
}

}  // namespace crevasse
