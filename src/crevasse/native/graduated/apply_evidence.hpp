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
      store(y, begin, std::min(end, state_.columns - 1), pairs.inner, pairs.outer, 1);
    });
    if (y + 1 >= state_.rows) return;
    each_segment(y, [&](int begin, int end) {
      found_.judge_down(begin, end, here, next, spread, one, rules_);
      store(y, begin, end, pairs.down_even(y), pairs.down_odd(y), 0);
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

  // Stores the evidence of the pairs from column `begin` to `end`, by the parity of the column. Those of odd columns
  // have the half column of the pixel, or with shift 1 the next one.
  void store(int y, int begin, int end, Pairs& even, Pairs& odd, int shift) const {
    int x = begin;
    for (; x + 2 * LANES <= end; x += 2 * LANES) {
      store_block(*even.block(y, x / 2), x);
      store_block(*odd.block(y, x / 2), x + 1 - 2 * shift);
    }
    // The last block, and with shift 1 the pair that the whole blocks left out.
    for (x = std::max(x - 1, begin); x < end; ++x) store_one(x % 2 == 0 ? even : odd, y, (x + shift) / 2, x);
  }

  // Evidence of every second pair from column x on, which is the first one of a block.
  void store_block(Pairs::Block& to, int x) const {
    In<float> crease = found_.crease(x), ahead = found_.ahead(x), behind = found_.behind(x);
    const bool has_hints = state_.has_hints;
    CREVASSE_BLOCK
    for (int l = 0; l < LANES; ++l) {
      const bool held = has_hints && to.crease[l] < 0.0f;
      to.crease[l] = held ? -crease[2 * l] : crease[2 * l];
      to.ahead[l] = held ? 0.0f : ahead[2 * l];
      to.behind[l] = held ? 0.0f : behind[2 * l];
    }
  }
  void store_one(Pairs& pairs, int y, int j, int x) const {
    const bool held = state_.has_hints && pairs.crease(y, j) < 0.0f;
    pairs.crease(y, j) = held ? -*found_.crease(x) : *found_.crease(x);
    pairs.ahead(y, j) = held ? 0.0f : *found_.ahead(x);
    pairs.behind(y, j) = held ? 0.0f : *found_.behind(x);
  }

  State& state_;
  Evidence rules_;
  Inclinations even_, odd_;
  PairEvidence found_;
};

}  // namespace crevasse
