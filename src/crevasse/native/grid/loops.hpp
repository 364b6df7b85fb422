// Loops over the rows of a layout, block by block.
#pragma once

#include "plane.hpp"
#include "spans.hpp"

// CREVASSE_LANES marks a loop whose iterations are independent. CREVASSE_BLOCK marks such a loop over one block of
// LANES points, which GCC would otherwise unroll before it could vectorise it.
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

// Marks a function that must become part of the loop that calls it, so that the loop can be vectorised.
#if defined(__GNUC__)
#define CREVASSE_INLINE inline __attribute__((always_inline))
#else
#define CREVASSE_INLINE inline
#endif

namespace crevasse {

// Calls work for `count` indices from `first` on, in whole blocks: the compiler turns each block into straight-line
// code without a prologue or an epilogue.
template <class Work>
inline void each(Index first, Index count, Work work) {
  for (Index block = first; block < first + count; block += LANES) {
    CREVASSE_BLOCK
    for (int l = 0; l < LANES; ++l) work(block + l);
  }
}

// Calls work with the index of every point of row y that is in use.
template <class Work>
inline void across(const Layout& layout, const Spans& spans, int y, Work work) {
  const Index row = layout.index(y);
  for (const Segment* s = spans.begin(y); s != spans.end(y); ++s) each(row + s->begin, s->end - s->begin, work);
}

// Calls work with the half column of every point of row y that is in use.
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

// Calls work with the half columns of row y for which test holds; fast if these are few.
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

// Sums work(index) over the points of row y that are in use. Each lane of the blocks has its own sum, so that the
// result does not depend on the width of the processor's vectors.
template <class Work>
inline double sum_across(const Layout& layout, const Spans& spans, int y, Work work) {
  double lanes[LANES] = {};
  const Index row = layout.index(y);
  for (const Segment* s = spans.begin(y); s != spans.end(y); ++s)
    for (Index block = row + s->begin; block < row + s->end; block += LANES) {
      CREVASSE_BLOCK
      for (int l = 0; l < LANES; ++l) lanes[l] += work(block + l);
    }
  return sum_lanes(lanes);
}

}  // namespace crevasse
