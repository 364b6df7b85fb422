// Judging a surface: the robust energy of its contacts, and which of them are cut.
#pragma once

#include "contact.hpp"
#include "lines.hpp"
#include "spanning.hpp"
#include "state.hpp"

namespace crevasse {

class Judge {
 public:
  explicit Judge(State& state) : state_(state), lines_(state.grid.layout) {}

  // Robust energy by region (labels from 1; null: one region), added to `out` row by row.
  void add_energies(const int* labels, double* out, Pulse& pulse) {
    state_.each_row(pulse, [&](int y) {
      judge_row(y, [](const Contact& c) { return c.cost(c.gap); });
      if (labels == nullptr) {
        out[1] += sum_row(y);
      } else {
        add_by_label(y, labels, out);
      }
    });
  }

  // 1 where a pixel is cut from the one right of it and below it, else 0; (rows, columns) each. Cut are jumps that are
  // outliers at both corners, known steps even where the surface follows them, and what hints separate.
  void find_cuts(const SpanningPairs& spanning, unsigned char* right, unsigned char* down, Pulse& pulse) {
    std::fill_n(right, static_cast<std::size_t>(state_.rows) * static_cast<std::size_t>(state_.columns), 0);
    std::fill_n(down, static_cast<std::size_t>(state_.rows) * static_cast<std::size_t>(state_.columns), 0);
    state_.each_row(pulse, [&](int y) {
      judge_row(y, [](const Contact& c) { return c.open() ? 1.0f : 0.0f; });
      unsigned char* beside = right + state_.index(y, 0);
      unsigned char* below = down + state_.index(y, 0);
      for (const Segment* s = state_.grid.spans.begin(y); s != state_.grid.spans.end(y); ++s)
        mark_open(y, *s, beside, below);
      if (state_.has_hints) mark_separated(y, beside, below);
      spanning.each(y, [&](const SpanningPair& pair) {
        if (pair.step != 0.0) (pair.down ? below : beside)[pair.x] = 1;
      });
    });
  }

  // strength(contact) of each pixel of row y with the pixels right of and below it, by column, in whole blocks; 0 where
  // there is no contact.
  template <class Strength>
  void measure_row(int y, Strength strength, Out<float> right, Out<float> down) {
    judge_row(y, strength);
    std::fill(right, right + state_.columns, 0.0f);
    std::fill(down, down + state_.columns, 0.0f);
    In<float> inner = lines_.inner.data() + MARGIN, outer = lines_.outer.data() + MARGIN + 1;
    In<float> even = (y % 2 == 0 ? lines_.red : lines_.black).data() + MARGIN;
    In<float> odd = (y % 2 == 0 ? lines_.black : lines_.red).data() + MARGIN;
    for (const Segment* s = state_.grid.spans.begin(y); s != state_.grid.spans.end(y); ++s) {
      CREVASSE_LANES
      for (int j = s->begin; j < s->end; ++j) {
        right[2 * j] = inner[j];
        right[2 * j + 1] = outer[j];
        down[2 * j] = even[j];
        down[2 * j + 1] = odd[j];
      }
    }
  }

  // The contact of pixel (y, x) with the one right of or below it.
  Contact contact(int y, int x, bool down) {
    if (!state_.is_pair(y, x, down)) return Contact();
    const int other_y = down ? y + 1 : y, other_x = down ? x : x + 1;
    Pairs& pairs = state_.pairs.of(y, x, down);
    const int j = PairFamilies::half_column(x, down);
    const double gap = state_.height(other_y, other_x) - state_.height(y, x) - pairs.target(y, j);
    return {static_cast<float>(gap), pairs.twist(y, j), state_.outlier * (pairs.variance(y, j) + FLOOR * FLOOR),
            pairs.ahead(y, j), pairs.behind(y, j)};
  }

 private:
  // 1 where the line of row y has a positive value, else 0: right and below.
  void mark_open(int y, const Segment& s, Out<unsigned char> beside, Out<unsigned char> below) const {
    In<float> inner = lines_.inner.data() + MARGIN, outer = lines_.outer.data() + MARGIN + 1;
    In<float> even = (y % 2 == 0 ? lines_.red : lines_.black).data() + MARGIN;
    In<float> odd = (y % 2 == 0 ? lines_.black : lines_.red).data() + MARGIN;
    CREVASSE_LANES
    for (int j = s.begin; j < std::min(s.end, state_.columns / 2); ++j) {
      beside[2 * j] = inner[j] > 0.0f;
      beside[2 * j + 1] = outer[j] > 0.0f;
      below[2 * j] = even[j] > 0.0f;
      below[2 * j + 1] = odd[j] > 0.0f;
    }
    const int last = state_.columns - 1;
    if (last % 2 == 0 && 2 * s.end > last) below[last] = even[last / 2] > 0.0f;
  }

  // 1 where hints force a jump between two masked pixels.
  void mark_separated(int y, unsigned char* beside, unsigned char* below) {
    const auto separated = [&](int x, bool down) {
      return state_.are_masked(y, x, down) && !state_.is_pair(y, x, down);
    };
    state_.each_pixel(y, [&](int x) {
      if (x + 1 < state_.columns && separated(x, false)) beside[x] = 1;
      if (y + 1 < state_.rows && separated(x, true)) below[x] = 1;
    });
  }

  // The verdict on every contact of row y; 0 where there is none.
  template <class Verdict>
  void judge_row(int y, Verdict verdict) {
    In<double> first = state_.even_row(y), second = state_.odd_row(y);
    judge_family(y, state_.pairs.inner, first, second, lines_.inner, verdict);
    judge_family(y, state_.pairs.outer, second - 1, first, lines_.outer, verdict);
    judge_family(y, state_.pairs.down_red, state_.red.row(y), state_.black.row(y + 1), lines_.red, verdict);
    judge_family(y, state_.pairs.down_black, state_.black.row(y), state_.red.row(y + 1), lines_.black, verdict);
  }

  template <class Verdict>
  void judge_family(int y, const Pairs& pairs, const double* za, const double* zb, std::vector<float>& line,
                    Verdict verdict) {
    std::fill(line.begin(), line.end(), 0.0f);
    float* out = line.data() + MARGIN;
    const float outlier = state_.outlier;
    for (const Segment* s = state_.grid.spans.begin(y); s != state_.grid.spans.end(y); ++s) {
      In<Pairs::Block> block = pairs.block(y, s->begin);
      for (int b = 0; b < (s->end - s->begin) / LANES; ++b) {
        CREVASSE_BLOCK
        for (int l = 0; l < LANES; ++l) {
          const Pairs::Block& pair = block[b];
          const int j = s->begin + b * LANES + l;
          const float gap = static_cast<float>(zb[j] - za[j] - pair.target[l]), variance = pair.variance[l];
          const Contact met{gap, pair.twist[l], outlier * (variance + FLOOR * FLOOR), pair.ahead[l], pair.behind[l]};
          const float value = verdict(met);
          out[j] = variance >= 0.0f ? value : 0.0f;
        }
      }
    }
  }

  double sum_row(int y) const {
    double sum = 0;
    for (const Segment* s = state_.grid.spans.begin(y); s != state_.grid.spans.end(y); ++s)
      for (int j = s->begin; j < s->end; ++j) {
        const std::size_t at = static_cast<std::size_t>(MARGIN + j);
        sum += static_cast<double>(lines_.inner[at] + lines_.outer[at]) +
               static_cast<double>(lines_.red[at] + lines_.black[at]);
      }
    return sum;
  }

  void add_by_label(int y, const int* labels, double* out) const {
    for (int x = 0; x < state_.columns; ++x) {
      const int label = labels[state_.index(y, x)];
      if (label == 0) continue;
      if (x + 1 < state_.columns) out[label] += static_cast<double>(lines_.right(x));
      out[label] += static_cast<double>(lines_.down(y, x));
    }
  }

  State& state_;
  Lines lines_;
};

}  // namespace crevasse
