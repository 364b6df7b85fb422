// Gives the pairs of a row their evidence.
#pragma once

#include "evidence.hpp"
#include "state.hpp"

namespace crevasse {

class EvidenceRows {
 public:
  EvidenceRows(State& state, const Evidence& rules)
      : state_(state), rules_(rules), even_(width(state)), odd_(width(state)), found_(width(state)) {}

  // A and K of the pairs of row y; faster if the previous call was for the row above.
  void set(int y) {
    Inclinations& here = y % 2 == 0 ? even_ : odd_;
    Inclinations& next = y % 2 == 0 ? odd_ : even_;
    incline(y, here);
    incline(y + 1, next);
    const bool one = state_.noise_variance.size() == 1;
    const float* spread = state_.noise_variance.data() + (one ? 0 : state_.index(y, 0));
    PairFamilies& pairs = state_.pairs;
    each_segment(y, [&](int begin, int end) {
      found_.judge_right(begin, end, here, spread, one, rules_);
      for (int x = begin; x < std::min(end, state_.columns - 1); ++x)
        store(x % 2 == 0 ? pairs.inner : pairs.outer, y, (x + 1) / 2, x);
    });
    if (y + 1 >= state_.rows) return;
    each_segment(y, [&](int begin, int end) {
      found_.judge_down(begin, end, here, next, spread, one, rules_);
      for (int x = begin; x < end; ++x) store((x + y) % 2 == 0 ? pairs.down_red : pairs.down_black, y, x / 2, x);
    });
  }

 private:
  static std::size_t width(const State& state) { return static_cast<std::size_t>(state.columns); }

  // Calls work(begin, end) for the columns of row y that are in use.
  template <class Work>
  void each_segment(int y, Work work) const {
    for (const Segment* s = state_.grid.spans.begin(y); s != state_.grid.spans.end(y); ++s)
      work(2 * s->begin, std::min(2 * s->end, state_.columns));
  }

  void incline(int y, Inclinations& out) const {
    if (out.row == y || y >= state_.rows) return;
    out.row = y;
    const std::size_t row = state_.index(y, 0);
    each_segment(y,
                 [&](int begin, int end) { out.set(begin, end, state_.right.data() + row, state_.down.data() + row); });
  }

  void store(Pairs& pairs, int y, int j, int x) const {
    const std::size_t at = static_cast<std::size_t>(x);
    const bool held = state_.has_hints && pairs.crease(y, j) < 0.0f;
    pairs.crease(y, j) = held ? -found_.crease[at] : found_.crease[at];
    pairs.ahead(y, j) = held ? 0.0f : found_.ahead[at];
    pairs.behind(y, j) = held ? 0.0f : found_.behind[at];
  }

  State& state_;
  Evidence rules_;
  Inclinations even_, odd_;
  PairEvidence found_;
};

}  // namespace crevasse
