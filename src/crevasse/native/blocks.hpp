// Ways through the rows of a layout, block by block.
#pragma once

#include <cstddef>

#include "grid.hpp"

// Loops whose turns do not depend on each other; a block: one of LANES turns, which GCC would unroll before it saw that
// they make a vector.
#if defined(__clang__)
#define CREVASSE_LANES _Pragma("clang loop vectorize(assume_safety)")
#define CREVASSE_BLOCK CREVASSE_LANES
#elif defined(__GNUC__)
#define CREVASSE_LANES _Pragma("GCC ivdep")
#define CREVASSE_BLOCK _Pragma("GCC ivdep") _Pragma("GCC unroll 1")
#else
#define CREVASSE_LANES
#define CREVASSE_BLOCK
#endif

namespace crevasse {

// Where indices count from: a point has the same one in all planes of a layout. Rows are short on small maps, and a
// pointer into each plane for each row would take longer than the work on it.
template <class T>
inline T* flat(Plane<T>& plane) {
  return plane.flat();
}
template <class T>
inline const T* flat(const Plane<T>& plane) {
  return plane.flat();
}

// Calls work for `count` indices from `first` on, in whole blocks: the compiler makes straight code of each, and there
// is nothing to set up before the first or to do after the last.
template <class Work>
inline void each(Index first, Index count, Work work) {
  for (Index block = first; block < first + count; block += LANES)
    CREVASSE_BLOCK
    for (int l = 0; l < LANES; ++l) work(block + l);
}

// Calls work for the index of every point of row y that is in use.
template <class Work>
inline void across(const Layout& layout, const Spans& spans, int y, Work work) {
  const Index row = layout.index(y);
  for (const Segment* s = spans.begin(y); s != spans.end(y); ++s) each(row + s->begin, s->end - s->begin, work);
}

// Calls work for their half columns.
template <class Work>
inline void each_column(const Spans& spans, int y, Work work) {
  for (const Segment* s = spans.begin(y); s != spans.end(y); ++s) each(s->begin, s->end - s->begin, work);
}

// Whether test holds for any half column of the block.
template <class Test>
inline bool any(int block, Test test) {
  int found = 0;
  CREVASSE_BLOCK
  for (int l = 0; l < LANES; ++l) found |= test(block + l) ? 1 : 0;
  return found != 0;
}

// Calls work for the half columns of row y for which test holds, which should be few.
template <class Test, class Work>
inline void each_found(const Spans& spans, int y, Test test, Work work) {
  for (const Segment* s = spans.begin(y); s != spans.end(y); ++s)
    for (int block = s->begin; block < s->end; block += LANES) {
      if (!any(block, test)) continue;
      for (int k = block; k < block + LANES; ++k)
        if (test(k)) work(k);
    }
}

inline double sum_lanes(const double (&lanes)[LANES]) {
  return ((lanes[0] + lanes[1]) + (lanes[2] + lanes[3])) + ((lanes[4] + lanes[5]) + (lanes[6] + lanes[7]));
}

// Sums what work gives for them, each lane of the blocks on its own, so that the sum is the same with any vectors.
template <class Work>
inline double sum_across(const Layout& layout, const Spans& spans, int y, Work work) {
  double lanes[LANES] = {};
  const Index row = layout.index(y);
  for (const Segment* s = spans.begin(y); s != spans.end(y); ++s)
    for (Index block = row + s->begin; block < row + s->end; block += LANES)
      CREVASSE_BLOCK
      for (int l = 0; l < LANES; ++l) lanes[l] += work(block + l);
  return sum_lanes(lanes);
}

}  // namespace crevasse
