// Transfer between coarse levels: restriction of residuals and prolongation of corrections.
#pragma once

#include "level.hpp"

namespace crevasse {

// Stores a row of coarse points split by column parity.
template <class T>
void deinterleave(In<T> line, const Segment& s, Out<T> even, Out<T> odd) {
  each(s.begin, s.end - s.begin, [&](Index j) {
    even[j] = line[2 * j];
    odd[j] = line[2 * j + 1];
  });
}

// Gathers the values of coarse row i from half column `begin` of the finer level to `end` inclusive. Writes whole
// blocks: there is room behind the last one.
template <class T>
void interleave(const Level<T>& coarse, int i, int begin, int end, Out<T> line) {
  In<T> even = coarse.value_e.row(i), odd = coarse.value_o.row(i);
  each(begin / 2, (end - begin) / 2, [&](Index j) {
    line[2 * j] = even[j];
    line[2 * j + 1] = odd[j];
  });
  line[end] = even[end / 2];
}

// Right-hand sides of `count` coarse points from half column `begin` of coarse row i on, after the first sweep. The
// residual at C, H and V is then what the points relaxed after them contribute; at X it is 0.
template <class T>
void restrict_points(const Level<T>& level, int i, int begin, int count, Out<T> coarse) {
  const Index row = level.layout.index(2 * i), next = level.layout.to_next(2 * i),
              last = level.layout.to_next(2 * i - 1);
  In<T> hi = flat(level.inner) + row, ho = flat(level.outer) + row, v = flat(level.down_e) + row,
        vo = flat(level.down_o) + row;
  In<T> r = flat(level.right_e) + row, l = flat(level.left_e) + row, ro = flat(level.right_o) + row,
        lo = flat(level.left_o) + row;
  In<T> e = flat(level.value_e) + row, o = flat(level.value_o) + row;
  In<T> al = level.interpolation.left.row(i), ar = level.interpolation.right.row(i);
  In<T> up = level.interpolation.up.row(i), dm = level.interpolation.down.row(i - 1);
  const auto beside = [&](Index k) {
    return (vo[k] * o[k + next] + vo[k - last] * o[k - last]) +
           ((ro[k] * e[k + next + 1] + lo[k] * e[k + next]) +
            (r[k - last] * e[k - last] + l[k - last + 1] * e[k - last + 1]));
  };
  each(begin, count, [&](Index k) {
    const T here = ((hi[k] * o[k] + ho[k] * o[k - 1]) + (v[k] * e[k + next] + v[k - last] * e[k - last])) +
                   ((r[k] * o[k + next] + l[k] * o[k + next - 1]) +
                    (ro[k - last - 1] * o[k - last - 1] + lo[k - last] * o[k - last]));
    const T below = hi[k + next] * o[k + next] + ho[k + next] * o[k + next - 1];
    const T above = hi[k - last] * o[k - last] + ho[k - last] * o[k - last - 1];
    coarse[k] = here + ((al[k] * beside(k) + ar[k - 1] * beside(k - 1)) + (up[k] * below + dm[k] * above));
  });
}

// Adds the coarse correction at C and H of row 2i.
template <class T>
void correct_even(Level<T>& level, int i, int begin, int end, In<T> coarse) {
  In<T> al = level.interpolation.left.row(i), ar = level.interpolation.right.row(i);
  Out<T> e = level.value_e.row(2 * i);
  Out<T> o = level.value_o.row(2 * i);
  each(begin, end - begin, [&](Index k) {
    e[k] += coarse[k];
    o[k] += al[k] * coarse[k] + ar[k] * coarse[k + 1];
  });
}

// Adds the coarse correction at V of row 2i + 1.
template <class T>
void correct_odd(Level<T>& level, int i, int begin, int end, In<T> coarse, In<T> below) {
  In<T> up = level.interpolation.up.row(i), dn = level.interpolation.down.row(i);
  Out<T> e = level.value_e.row(2 * i + 1);
  each(begin, end - begin, [&](Index k) { e[k] += up[k] * coarse[k] + dn[k] * below[k]; });
}

// Restriction: right-hand sides of coarse row i. line: scratch space.
template <class T>
void restrict_row(const Level<T>& level, Level<T>& coarse, int i, Out<T> line) {
  for (const Segment* s = coarse.spans.begin(i); s != coarse.spans.end(i); ++s) {
    restrict_points(level, i, 2 * s->begin, 2 * (s->end - s->begin), line);
    deinterleave<T>(line, *s, coarse.rhs_e.row(i), coarse.rhs_o.row(i));
  }
}

// Prolongation: adds the coarse correction to row y. line, below: scratch space.
template <class T>
void prolong_row(Level<T>& level, const Level<T>& coarse, int y, Out<T> line, Out<T> below) {
  const int i = y / 2;
  for (const Segment* s = level.spans.begin(y); s != level.spans.end(y); ++s) {
    interleave(coarse, i, s->begin, s->end, line);
    if (y % 2 == 0) {
      correct_even<T>(level, i, s->begin, s->end, line);
    } else {
      interleave(coarse, i + 1, s->begin, s->end, below);
      correct_odd<T>(level, i, s->begin, s->end, line, below);
    }
  }
}

}  // namespace crevasse
