// The graduated method: rigid quadrilaterals, one height a pixel, pairs reweighted by their jumps.
//
// Pair (a, b), b right of or below a: R = z_b - z_a - target, and its two auxiliary edges jump by R + twist and
// R - twist. Everything that stays the same during a start is kept per pair, in the layout of multigrid.hpp.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <tuple>
#include <vector>

#include "docking.hpp"
#include "evidence.hpp"
#include "islands.hpp"
#include "multigrid.hpp"

namespace crevasse {

constexpr float FLOOR = 0.01f;       // pixels: the smallest jump that means anything
constexpr float CURVATURE = 0.05f;   // pixels of error per unit of change of slope
constexpr float CORE = 4.0f;          // squared standard deviations that count as noise when settling
constexpr float FAR = 1e4f;           // variances beyond which weights fall no further: below, rounding would move parts
constexpr float OUTLIER = 25.0f;     // squared standard deviations from which a jump is one
constexpr float STEP_SHARE = 0.05f;  // of a known step, by which it may be wrong
constexpr float STEP_ERROR = 0.5f;   // pixels by which it may be wrong besides
constexpr float STEP_DOUBT = 0.05f;  // K of its pair: a known step is worth many contacts, however far away it is

// One family of pairs in split layout. What belongs to a block of them lies together: every outer iteration reads all
// of it once, and few long streams come from memory sooner than many short ones.
class Pairs {
 public:
  struct alignas(32) Block {
    double target[LANES];
    float twist[LANES], variance[LANES];                // variance < 0: not a pair
    float crease[LANES], ahead[LANES], behind[LANES];  // A, and K for R > 0 and R < 0
  };

  Pairs() = default;
  // Margins are left out, but not where they belong to other rows.
  explicit Pairs(const Layout& layout)
      : layout_(layout), across_(static_cast<std::size_t>((layout.half + LANES - 1) / LANES)),
        blocks_(layout.packed() ? layout.size() / LANES : static_cast<std::size_t>(layout.rows) * across_) {}

  // The block of row y that half column j lies in.
  Block* block(int y, int j) { return blocks_.data() + place(y, j); }
  const Block* block(int y, int j) const { return blocks_.data() + place(y, j); }

  double& target(int y, int j) { return block(y, j)->target[lane(j)]; }
  float& twist(int y, int j) { return block(y, j)->twist[lane(j)]; }
  float& variance(int y, int j) { return block(y, j)->variance[lane(j)]; }
  float& crease(int y, int j) { return block(y, j)->crease[lane(j)]; }
  float& ahead(int y, int j) { return block(y, j)->ahead[lane(j)]; }
  float& behind(int y, int j) { return block(y, j)->behind[lane(j)]; }

 private:
  static std::size_t lane(int j) { return static_cast<std::size_t>(j) % LANES; }
  std::size_t place(int y, int j) const {
    const std::size_t row = layout_.packed() ? (layout_.margin() + static_cast<std::size_t>(layout_.index(y))) / LANES
                                             : static_cast<std::size_t>(y) * across_;
    return row + static_cast<std::size_t>(j) / LANES;
  }

  Layout layout_;
  std::size_t across_ = 0;
  Zeros<Block> blocks_;
};

constexpr double NOISY = 0.01;     // noise from which cosines are steadied
constexpr int WINDOW = 2;          // pixels to each side that steady a cosine
constexpr double TRUST = 2.0;      // times the noise's variance that a window may vary and still be level
constexpr double GRAZING = 0.03;  // smallest cosine that slopes are computed with

// The slopes as they are given, row-major: cosine, and cosine * slope to the right and downwards.
struct Slopes {
  const double* across;
  const double* along;
  const double* cosine;
  const unsigned char* mask;
  const int* labels;     // null: one region
  const double* noise;   // per region, from 1
  const signed char* hints;  // null: none; see forced() and hold()
  double curvature;

  double noise_at(std::size_t i) const { return noise[labels ? labels[i] : 1]; }
  double clamped(std::size_t i) const { return std::fmax(cosine[i], GRAZING); }
  double right(std::size_t i) const { return across[i] / clamped(i); }
  double down(std::size_t i) const { return along[i] / clamped(i); }
};

// A pixel's slopes, and the offsets of its plane's corners.
struct Tilt {
  double right, down, upper_left, upper_right, lower_left, lower_right;
};

// Those of a row.
struct Tilts {
  std::vector<Tilt> pixels;
  int row = -1;
  explicit Tilts(int columns) : pixels(static_cast<std::size_t>(columns)) {}
};

// Pixels that stand across a jump: each goes over to one side, whose slopes it takes, and what it told of the jump is a
// known step of a pair. Pixels are row-major; pairs are twice their first pixel, plus 1 if they go down.
struct Walls {
  const std::int64_t* pixels;
  const std::int64_t* sources;
  std::size_t count;
  const std::int64_t* pairs;
  const double* steps;
  std::size_t step_count;
};

struct Report {
  double energy = 0, change = 0;
  int iterations = 0;
};

class Graduated {
  using Row = const float* __restrict;
  using Out = float* __restrict;

 public:
  Graduated(int rows, int columns, const Slopes& slopes, int threads, const std::function<bool()>& poll)
      : rows_(rows), columns_(columns), curvature_(slopes.curvature), team_(threads),
        grid_(rows, columns,
              [&](int y, int x) { return slopes.mask[static_cast<std::size_t>(y) * static_cast<std::size_t>(columns) +
                                                     static_cast<std::size_t>(x)] != 0; },
              team_, true),
        inner_(grid_.layout), outer_(grid_.layout), down_red_(grid_.layout), down_black_(grid_.layout),
        red_(grid_.layout), black_(grid_.layout), nothing_(grid_.layout) {
    take(slopes, poll);
  }

  // Begins a start: the crease evidence of each pair, and all heights 0.
  void begin(const Crease& crease, bool keep_heights, const std::function<bool()>& poll) {
    const bool same = considered_ && *considered_ == crease;
    if (same && keep_heights) return;
    // Who is interrupted leaves some of both.
    considered_.reset();
    team_.run([&](int member) {
      const std::size_t width = static_cast<std::size_t>(columns_);
      Leanings even(width), odd(width);
      Judgements found(width);
      for (int y = grid_.first(member); y < grid_.last(member); ++y) {
        if (y % SELDOM == 0) team_.tick(member);
        if (!same) {
          set_evidence(y, crease, y % 2 == 0 ? even : odd, y % 2 == 0 ? odd : even, found);
          each_step(y, [&](const Step& step) { trust(step); });
        }
        if (!keep_heights) clear_row(y);
      }
    }, poll);
    considered_ = crease;
  }

  // Other slopes to meet, of the same mask; the evidence stays with those it was made with.
  void retarget(const Slopes& slopes, const std::function<bool()>& poll) {
    considered_.reset();
    steps_.clear();
    team_.run([&](int member) { set_doubts(member, slopes); }, poll);
  }

  // Takes pixels that stand across jumps out of the way, and the steps they tell into the targets. All heights stay.
  void build_walls(const Walls& walls) {
    considered_.reset();
    std::vector<float> planes;
    for (std::size_t i = 0; i < walls.count; ++i)
      for (const std::vector<float>* image : {&right_, &down_, &doubt_})
        planes.push_back((*image)[static_cast<std::size_t>(walls.sources[i])]);
    const float* plane = planes.data();
    for (std::size_t i = 0; i < walls.count; ++i)
      for (std::vector<float>* image : {&right_, &down_, &doubt_})
        (*image)[static_cast<std::size_t>(walls.pixels[i])] = *plane++;
    steps_.clear();
    for (std::size_t i = 0; i < walls.count; ++i) {
      const int y = static_cast<int>(walls.pixels[i] / columns_), x = static_cast<int>(walls.pixels[i] % columns_);
      if (x > 0) loosen(y, x - 1, false);
      if (x + 1 < columns_) loosen(y, x, false);
      if (y > 0) loosen(y - 1, x, true);
      if (y + 1 < rows_) loosen(y, x, true);
    }
    for (std::size_t i = 0; i < walls.step_count; ++i) {
      const int y = static_cast<int>(walls.pairs[i] / 2 / columns_), x = static_cast<int>(walls.pairs[i] / 2 % columns_);
      const bool down = walls.pairs[i] % 2 == 1;
      if (is_pair(y, x, down)) steps_.push_back({y, x, down, true, walls.steps[i]});
    }
    std::sort(steps_.begin(), steps_.end(), [](const Step& a, const Step& b) {
      return std::tie(a.y, a.x, a.down, a.known) < std::tie(b.y, b.x, b.down, b.known);
    });
    for (const Step& step : steps_) {
      if (!step.known) continue;
      Pairs& pairs = pairs_of(step.y, step.x, step.down);
      const int j = half_of(step.x, step.down);
      const float rise = static_cast<float>(step.rise);
      pairs.target(step.y, j) += step.rise;
      if (step.rise != 0.0) pairs.variance(step.y, j) += square(STEP_SHARE * rise) + square(STEP_ERROR);
    }
  }

  // One outer iteration; scale is mu in pixels, 0 for the final stage. flat: weigh as if nothing jumped yet.
  // A negative scale settles: weights are flat within the noise, so that only what sticks out of it counts as a jump.
  Report step(float scale, bool flat, int limit, double tolerance, bool rebuild, const std::function<bool()>& poll) {
    Report report;
    team_.run([&](int member) {
      const int begin = grid_.first(member), end = grid_.last(member);
      weigh_rows(member, scale, flat);
      team_.checkpoint(member);
      const double energy = grid_.total();
      team_.barrier();
      if (rebuild) grid_.rebuild(member);
      const int iterations = grid_.solve(member, limit, tolerance);
      for (int y = begin; y < end; ++y) {
        if (y % SELDOM == 0) team_.tick(member);
        add_row(y);
      }
      team_.barrier();
      if (member == 0) report = {energy, grid_.total(), iterations};
    }, poll);
    return report;
  }

  // Robust energy E' per region (from 1), added to `out`; one number a row and region, in the order of the rows.
  void energies(const int* labels, double* out, const std::function<bool()>& poll) {
    Lines lines(grid_.layout);
    Pulse pulse(poll);
    for (int y = 0; y < rows_; ++y) {
      if (y % SELDOM == 0) pulse();
      judge_row(y, lines, [](const Contact& c) { return c.cost(c.gap); });
      add_energies(y, lines, labels, out);
    }
  }

  // Pairs whose jump is an outlier at both auxiliary edges, (rows, columns - 1) and (rows - 1, columns): 1 where cut; what
  // nothing is masked around stays as it is.
  void cuts(unsigned char* right, unsigned char* down, const std::function<bool()>& poll) {
    Lines lines(grid_.layout);
    Pulse pulse(poll);
    for (int y = 0; y < rows_; ++y) {
      if (y % SELDOM == 0) pulse();
      judge_row(y, lines, [](const Contact& c) { return c.open() ? 1.0f : 0.0f; });
      each_pixel(y, [&](int x) {
        if (x + 1 < columns_) right[index(y, x, columns_ - 1)] = pair_right(y, x, lines) > 0.0f;
        if (y + 1 < rows_) down[index(y, x, columns_)] = pair_down(y, x, lines) > 0.0f;
      });
      // A known step is a jump, also where the surface has it.
      each_step(y, [&](const Step& step) {
        if (step.rise != 0.0) (step.down ? down[index(y, step.x, columns_)] : right[index(y, step.x, columns_ - 1)]) = 1;
      });
    }
  }

  // The pairs' constants, row-major, for tests and for moves of whole parts: target, twist, variance, K ahead, behind; 0
  // where nothing is masked.
  void constants(int which, float* right, float* down, const std::function<bool()>& poll) {
    Pulse pulse(poll);
    for (int y = 0; y < rows_; ++y) {
      if (y % SELDOM == 0) pulse();
      write_pairs(y, right, down, [&](const Pairs& pairs, int j) { return constant(pairs, which, y, j); });
    }
  }

  void weights(float* right, float* down) const {
    for (int y = 0; y < rows_; ++y)
      write_pairs(y, right, down, [&](const Pairs& pairs, int j) {
        return (&pairs == &inner_ ? grid_.inner : &pairs == &outer_ ? grid_.outer
                : &pairs == &down_red_ ? grid_.down_red : grid_.down_black).row(y)[j];
      });
  }

  // Moves whole parts of the surface to where the energy E' is lower; true if any moved.
  bool dock(int parts, const DockingRules& rules, const std::function<bool()>& poll) {
    const auto meeting = [&](int y, int x, bool down) { return contact(y, x, down); };
    const auto inside = [&](int i) { return doubt_[static_cast<std::size_t>(i)] > 0.0f; };
    Lines lines(grid_.layout);
    Pulse pulse(poll);
    const auto bind = [&](int y, float* right, float* down) { bind_row(y, lines, Docking::strength, right, down); };
    const Parts found(rows_, columns_, inside, bind, parts, pulse);
    std::vector<double> ways;
    if (!Docking(found, meeting, team_, pulse).move(rules, ways, poll)) return false;
    for (int y = 0; y < rows_; ++y) {
      if (y % SELDOM == 0) pulse();
      for (int x = 0; x < columns_; ++x)
        if (found.at(y, x) >= 0) height(y, x) += ways[static_cast<std::size_t>(found.at(y, x))];
    }
    return true;
  }

  // Parts whose place the energy does not determine: labels from 1, largest first, 0 outside; returns their number.
  int islands(const IslandRules& rules, int* out, const std::function<bool()>& poll) {
    const auto meeting = [&](int y, int x, bool down) { return contact(y, x, down); };
    const auto inside = [&](int i) { return doubt_[static_cast<std::size_t>(i)] > 0.0f; };
    Lines lines(grid_.layout);
    const auto hold = [&](const Contact& c) { return Islands::holds(c, rules); };
    Pulse pulse(poll);
    const auto bind = [&](int y, float* right, float* down) { bind_row(y, lines, hold, right, down); };
    return Islands(Parts(rows_, columns_, inside, bind, 0, pulse), meeting, rules, pulse).write(out);
  }

  // The heights, row-major; 0 where nothing is masked.
  void read(double* out, const std::function<bool()>& poll) const {
    Pulse pulse(poll);
    for (int y = 0; y < rows_; ++y) {
      if (y % SELDOM == 0) pulse();
      const double* __restrict even = (y % 2 == 0 ? red_ : black_).row(y);
      const double* __restrict odd = (y % 2 == 0 ? black_ : red_).row(y);
      double* __restrict to = out + index(y, 0, columns_);
      std::fill(to, to + columns_, 0.0);
      for (const Segment* s = grid_.spans.begin(y); s != grid_.spans.end(y); ++s) {
        for (int j = s->begin; j < std::min(s->end, columns_ / 2); ++j) {
          to[2 * j] = even[j];
          to[2 * j + 1] = odd[j];
        }
        if (columns_ % 2 == 1 && s->end > columns_ / 2) to[columns_ - 1] = even[columns_ / 2];
      }
    }
  }

  void write(const double* in, const std::function<bool()>& poll) {
    Pulse pulse(poll);
    for (int y = 0; y < rows_; ++y) {
      if (y % SELDOM == 0) pulse();
      double* __restrict even = (y % 2 == 0 ? red_ : black_).row(y);
      double* __restrict odd = (y % 2 == 0 ? black_ : red_).row(y);
      const double* __restrict from = in + index(y, 0, columns_);
      for (const Segment* s = grid_.spans.begin(y); s != grid_.spans.end(y); ++s) {
        for (int j = s->begin; j < std::min(s->end, columns_ / 2); ++j) {
          even[j] = from[2 * j];
          odd[j] = from[2 * j + 1];
        }
        if (columns_ % 2 == 1 && s->end > columns_ / 2) even[columns_ / 2] = from[columns_ - 1];
      }
    }
  }

  // Gives back all memory but that of the heights, which can still be read.
  void release(const std::function<bool()>& poll) {
    Pulse pulse(poll);
    for (Pairs* pairs : {&inner_, &outer_, &down_red_, &down_black_}) {
      *pairs = Pairs();
      pulse();
    }
    for (std::vector<float>* image : {&right_, &down_, &doubt_, &spread_}) {
      std::vector<float>().swap(*image);
      pulse();
    }
    grid_.release(pulse);
  }

 private:
  // Fluxes or judgements of a row's pairs.
  struct Lines {
    std::vector<float> inner, outer, red, black;
    int row = -1;  // whose values these are
    explicit Lines(const Layout& layout)
        : inner(layout.stride), outer(layout.stride), red(layout.stride), black(layout.stride) {}
  };

  // A pair of a wall's pixel: its second pixel lies behind the first by so much more than their slopes say, or nothing is
  // known of it but that its pixels may be of different sides.
  struct Step {
    int y, x;
    bool down, known;
    double rise;
  };

  // Calls work for the pairs of walls in row y.
  template <class Work>
  void each_step(int y, Work work) const {
    const auto before = [](const Step& step, int row) { return step.y < row; };
    for (auto step = std::lower_bound(steps_.begin(), steps_.end(), y, before); step != steps_.end() && step->y == y; ++step)
      work(*step);
  }

  void trust(const Step& step) {
    Pairs& pairs = pairs_of(step.y, step.x, step.down);
    const int j = half_of(step.x, step.down);
    if (step.known) pairs.crease(step.y, j) = 1.0f;
    pairs.ahead(step.y, j) = pairs.behind(step.y, j) = step.known ? STEP_DOUBT : 1.0f;
  }

  // The family of the pair of pixel (y, x) with the one right of or below it, and its half column there.
  Pairs& pairs_of(int y, int x, bool down) {
    if (down) return (x + y) % 2 == 0 ? down_red_ : down_black_;
    return x % 2 == 0 ? inner_ : outer_;
  }
  static int half_of(int x, bool down) { return down ? x / 2 : (x + 1) / 2; }

  // Whether they are one: where nothing is masked, rows may lie in each other's gaps.
  bool is_pair(int y, int x, bool down) {
    const int other_y = down ? y + 1 : y, other_x = down ? x : x + 1;
    return doubt_[index(y, x, columns_)] > 0.0f && doubt_[index(other_y, other_x, columns_)] > 0.0f &&
           pairs_of(y, x, down).variance(y, half_of(x, down)) >= 0.0f;
  }

  static std::size_t index(int y, int x, int width) {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x);
  }

  // Calls work for the columns of row y that lie in blocks in use.
  template <class Work>
  void each_pixel(int y, Work work) const {
    for (const Segment* s = grid_.spans.begin(y); s != grid_.spans.end(y); ++s)
      for (int x = 2 * s->begin; x < std::min(2 * s->end, columns_); ++x) work(x);
  }

  // What `tell` says of each pair of row y, row-major.
  template <class Tell>
  void write_pairs(int y, float* right, float* down, Tell tell) const {
    const Pairs& even = y % 2 == 0 ? down_red_ : down_black_;
    const Pairs& odd = y % 2 == 0 ? down_black_ : down_red_;
    if (columns_ > 1) std::fill_n(right + index(y, 0, columns_ - 1), columns_ - 1, 0.0f);
    if (y + 1 < rows_) std::fill_n(down + index(y, 0, columns_), columns_, 0.0f);
    for (const Segment* s = grid_.spans.begin(y); s != grid_.spans.end(y); ++s)
      for (int j = s->begin; j < std::min(s->end, grid_.layout.half); ++j) {
        const int x = 2 * j;
        if (x > 0) right[index(y, x - 1, columns_ - 1)] = tell(outer_, j);
        if (x + 1 < columns_) right[index(y, x, columns_ - 1)] = tell(inner_, j);
        if (y + 1 == rows_) continue;
        down[index(y, x, columns_)] = tell(even, j);
        if (x + 1 < columns_) down[index(y, x + 1, columns_)] = tell(odd, j);
      }
  }

  // ---- set-up -------------------------------------------------------------------------------------------------

  void take(const Slopes& slopes, const std::function<bool()>& poll) {
    right_.resize(static_cast<std::size_t>(rows_) * static_cast<std::size_t>(columns_));
    Pulse pulse(poll);
    pulse();
    down_.resize(right_.size());
    pulse();
    doubt_.resize(right_.size());
    pulse();
    spread_.resize(slopes.labels ? right_.size() : 1, static_cast<float>(slopes.noise[1] * slopes.noise[1]));
    for (int m = 0; m < team_.size(); ++m) shares_.push_back(std::make_unique<Share>(grid_.layout));
    team_.run([&](int member) {
      for (int y = grid_.first(member); y < grid_.last(member); ++y) {
        if (y % SELDOM == 0) team_.tick(member);
        each_pixel(y, [&](int x) {
          const std::size_t i = index(y, x, columns_);
          const double noise = slopes.noise_at(i);
          right_[i] = static_cast<float>(slopes.right(i));
          down_[i] = static_cast<float>(slopes.down(i));
          if (slopes.labels) spread_[i] = static_cast<float>(noise * noise);
        });
      }
      set_doubts(member, slopes);
    }, poll);
  }

  // How far the slopes can be trusted, and what follows for the pairs.
  void set_doubts(int member, const Slopes& slopes) {
    for (int y = grid_.first(member); y < grid_.last(member); ++y) {
      if (y % SELDOM == 0) team_.tick(member);
      each_pixel(y, [&](int x) {
        const std::size_t i = index(y, x, columns_);
        const double noise = slopes.noise_at(i), c = steadied(y, x, slopes, noise), steep = 1 / (c * c);
        const double s0 = std::fmax(noise, 0.002);
        doubt_[i] = slopes.mask[i] ? static_cast<float>(0.5 * s0 * s0 * steep * steep) : 0.0f;
      });
    }
    team_.barrier();
    Tilts even(columns_), odd(columns_);
    for (int y = grid_.first(member); y < grid_.last(member); ++y) {
      if (y % SELDOM == 0) team_.tick(member);
      set_targets(y, slopes, y % 2 == 0 ? even : odd, y % 2 == 0 ? odd : even);
    }
  }

  // The clamped cosine of a pixel, drawn to the mean of its window by as much as noise explains their difference.
  // Weights that follow a pixel's own noise would prefer those that noise has made flatter, and flatten the surface.
  double steadied(int y, int x, const Slopes& slopes, double noise) const {
    const double own = slopes.clamped(index(y, x, columns_));
    if (noise < NOISY || !slopes.mask[index(y, x, columns_)]) return own;
    double count = 0, sum = 0, squares = 0;
    for (int v = std::max(y - WINDOW, 0); v <= std::min(y + WINDOW, rows_ - 1); ++v)
      for (int u = std::max(x - WINDOW, 0); u <= std::min(x + WINDOW, columns_ - 1); ++u) {
        const std::size_t i = index(v, u, columns_);
        const double inside = slopes.mask[i] ? 1.0 : 0.0, away = inside * (slopes.clamped(i) - own);
        count += inside;
        sum += away;
        squares += away * away;
      }
    const double mean = sum / count, variance = squares / count - mean * mean;
    const double level = own + mean, expected = noise * noise * (std::fmax(1 - level * level, 0.0) + noise * noise);
    return own + mean * std::fmin(1.0, TRUST * expected / (variance + 1e-12));
  }

  double offset(double rise) const {
    if (curvature_ == 0) return rise;
    return -std::log1p(-std::fmin(rise * curvature_, 0.9)) / curvature_;
  }

  // Slopes and corners of the pixels of row y.
  void tilt(int y, const Slopes& slopes, Tilts& out) const {
    if (out.row == y || y >= rows_) return;
    out.row = y;
    each_pixel(y, [&](int x) {
      out.pixels[static_cast<std::size_t>(x)] = tilted(slopes.right(index(y, x, columns_)), slopes.down(index(y, x, columns_)));
    });
  }

  Tilt tilted(double right, double down) const {
    return {right, down, offset((-right - down) / 2), offset((right - down) / 2), offset((down - right) / 2),
            offset((right + down) / 2)};
  }

  // Target and twist of one pair from the corners of both pixels' planes.
  void set_pair(Pairs& pairs, int y, int j, const Slopes& slopes, std::size_t a, std::size_t b, const Tilt& here,
                const Tilt& there, bool vertical) {
    relate(pairs, y, j, doubt_[a] + doubt_[b], here, there, vertical);
    bool pair = slopes.mask[a] && slopes.mask[b];
    if (pair && slopes.hints && forced(slopes.hints[a], slopes.hints[b])) pair = false;
    if (!pair) pairs.variance(y, j) = -1.0f;
    if (slopes.hints) hold(pairs, y, j, pair && slopes.hints[a] < 0 && slopes.hints[b] < 0);
  }

  // The same from the planes that the pixels have now, one of which is a wall's, where there is a pair.
  void loosen(int y, int x, bool down) {
    if (!is_pair(y, x, down)) return;
    steps_.push_back({y, x, down, false, 0.0});
    Pairs& pairs = pairs_of(y, x, down);
    const int j = half_of(x, down);
    const std::size_t a = index(y, x, columns_), b = down ? index(y + 1, x, columns_) : a + 1;
    const auto plane = [&](std::size_t i) { return tilted(static_cast<double>(right_[i]), static_cast<double>(down_[i])); };
    relate(pairs, y, j, doubt_[a] + doubt_[b], plane(a), plane(b), down);
  }

  static void relate(Pairs& pairs, int y, int j, float doubt, const Tilt& here, const Tilt& there, bool vertical) {
    const double first = (vertical ? here.lower_left : here.upper_right) - there.upper_left;
    const double second = here.lower_right - (vertical ? there.upper_right : there.lower_left);
    pairs.target(y, j) = (first + second) / 2;
    pairs.twist(y, j) = static_cast<float>((first - second) / 2);
    const float dr = static_cast<float>(there.right - here.right), dd = static_cast<float>(there.down - here.down);
    pairs.variance(y, j) = doubt + square(CURVATURE) * (square(dr) + square(dd));
  }

  // A jump is forced around a pixel marked 1, and between the two sides, 2 and 3, of a line.
  static bool forced(signed char a, signed char b) { return a == 1 || b == 1 || (a > 0 && b > 0 && a + b == 5); }

  // A held pair never loses weight: its crease is marked by a negative value.
  void hold(Pairs& pairs, int y, int j, bool held) { pairs.crease(y, j) = held ? -1.0f : 1.0f; held_ = held_ || held; }

  void set_targets(int y, const Slopes& slopes, Tilts& here, Tilts& next) {
    tilt(y, slopes, here);
    tilt(y + 1, slopes, next);
    const std::size_t width = static_cast<std::size_t>(columns_);
    for (const Segment* s = grid_.spans.begin(y); s != grid_.spans.end(y); ++s)
      for (int j = s->begin; j < s->end; ++j) {
        inner_.variance(y, j) = outer_.variance(y, j) = -1.0f;
        down_red_.variance(y, j) = down_black_.variance(y, j) = -1.0f;
        const int x = 2 * j;
        if (x >= columns_) continue;
        const std::size_t i = index(y, x, columns_);
        const Tilt* pixel = here.pixels.data() + x;
        if (x + 1 < columns_) set_pair(inner_, y, j, slopes, i, i + 1, pixel[0], pixel[1], false);
        if (x > 0) set_pair(outer_, y, j, slopes, i - 1, i, pixel[-1], pixel[0], false);
        if (y + 1 >= rows_) continue;
        const Tilt* below = next.pixels.data() + x;
        Pairs& even = y % 2 == 0 ? down_red_ : down_black_;
        Pairs& odd = y % 2 == 0 ? down_black_ : down_red_;
        set_pair(even, y, j, slopes, i, i + width, pixel[0], below[0], true);
        if (x + 1 < columns_) set_pair(odd, y, j, slopes, i + 1, i + 1 + width, pixel[1], below[1], true);
      }
  }

  void lean(int y, Leanings& out) const {
    if (out.row == y || y >= rows_) return;
    out.row = y;
    const std::size_t row = index(y, 0, columns_);
    for (const Segment* s = grid_.spans.begin(y); s != grid_.spans.end(y); ++s)
      out.set(2 * s->begin, std::min(2 * s->end, columns_), right_.data() + row, down_.data() + row);
  }

  // A and K of the pairs of row y.
  void set_evidence(int y, const Crease& crease, Leanings& here, Leanings& next, Judgements& found) {
    lean(y, here);
    lean(y + 1, next);
    const bool one = spread_.size() == 1;
    const float* spread = spread_.data() + (one ? 0 : index(y, 0, columns_));
    const auto each = [&](auto work) {
      for (const Segment* s = grid_.spans.begin(y); s != grid_.spans.end(y); ++s)
        work(2 * s->begin, std::min(2 * s->end, columns_));
    };
    each([&](int begin, int end) {
      found.judge_right(begin, end, here, spread, one, crease);
      for (int x = begin; x < std::min(end, columns_ - 1); ++x) keep(x % 2 == 0 ? inner_ : outer_, y, (x + 1) / 2, x, found);
    });
    if (y + 1 >= rows_) return;
    each([&](int begin, int end) {
      found.judge_down(begin, end, here, next, spread, one, crease);
      for (int x = begin; x < end; ++x) keep((x + y) % 2 == 0 ? down_red_ : down_black_, y, x / 2, x, found);
    });
  }

  void keep(Pairs& pairs, int y, int j, int x, const Judgements& found) const {
    const std::size_t at = static_cast<std::size_t>(x);
    const bool held = held_ && pairs.crease(y, j) < 0.0f;
    pairs.crease(y, j) = held ? -found.crease[at] : found.crease[at];
    pairs.ahead(y, j) = held ? 0.0f : found.ahead[at];
    pairs.behind(y, j) = held ? 0.0f : found.behind[at];
  }

  void clear_row(int y) {
    for (const Segment* s = grid_.spans.begin(y); s != grid_.spans.end(y); ++s) {
      std::fill(red_.row(y) + s->begin, red_.row(y) + s->end, 0.0);
      std::fill(black_.row(y) + s->begin, black_.row(y) + s->end, 0.0);
    }
  }

  // ---- the outer iteration --------------------------------------------------------------------------------------

  static float weight(float v, float a, float k, float jump, float twist, float scale2, bool final, bool settle) {
    const float core = CORE * v;
    const float d1 = settle ? larger(square(jump + twist) - core, 0.0f) : square(jump + twist);
    const float d2 = settle ? larger(square(jump - twist) - core, 0.0f) : square(jump - twist);
    if (final) {
      const float s = 4.0f * (v + FLOOR * FLOOR);
      const float far = FAR * s, r1 = 1.0f / (s + smaller(k * d1, far)), r2 = 1.0f / (s + smaller(k * d2, far));
      return 0.5f * s * (r1 * r1 + r2 * r2);
    }
    const float s = v + scale2 * a;
    const float far = FAR * FAR * s;
    return 0.5f * (1.0f / (s + smaller(k * d1, far)) + 1.0f / (s + smaller(k * d2, far)));
  }

  // Weight and flux (weight * gap) of pair l of a block, whose ends differ by `rise`; returns its energy.
  template <bool Final, bool Flat, bool Settle>
  static float weigh_pair(const Pairs::Block& pair, int l, double rise, float scale2, float& w, float& flux) {
    const float r = static_cast<float>(rise - pair.target[l]), v = pair.variance[l];
    const float jump = Flat ? 0.0f : r, k = evidence(jump, pair.ahead[l], pair.behind[l]);
    const float value = weight(v, std::fabs(pair.crease[l]), k, jump, pair.twist[l], scale2, Final, Settle);
    const float clean = v >= 0.0f ? value : 0.0f;
    w = clean;
    flux = clean * r;
    return clean * r * r;
  }

  // Calls work for every pair of row y: its block, its half column and its place in the block.
  template <class Work>
  void each_block(int y, const Pairs& pairs, Work work) const {
    for (const Segment* s = grid_.spans.begin(y); s != grid_.spans.end(y); ++s) {
      const Pairs::Block* __restrict block = pairs.block(y, s->begin);
      for (int j = s->begin; j < s->end; j += LANES, ++block)
        CREVASSE_BLOCK
        for (int l = 0; l < LANES; ++l) work(*block, j + l, l);
    }
  }

  // All pairs of row y at once: there is much to wait for from memory, and four streams bring more of it than one.
  template <bool Final, bool Flat, bool Settle = false>
  void weigh_row(int y, float scale2, Lines& lines) {
    const double* __restrict red = red_.row(y);
    const double* __restrict black = black_.row(y);
    const double* __restrict next_red = red_.row(y + 1);
    const double* __restrict next_black = black_.row(y + 1);
    const double* __restrict first = y % 2 == 0 ? red : black;
    const double* __restrict second = y % 2 == 0 ? black : red;
    Out wi = grid_.inner.row(y), wo = grid_.outer.row(y), wr = grid_.down_red.row(y), wb = grid_.down_black.row(y);
    Out fi = lines.inner.data() + MARGIN, fo = lines.outer.data() + MARGIN;
    Out fr = lines.red.data() + MARGIN, fb = lines.black.data() + MARGIN;
    constexpr auto weigh = weigh_pair<Final, Flat, Settle>;
    double lanes[LANES] = {};
    for (const Segment* s = grid_.spans.begin(y); s != grid_.spans.end(y); ++s) {
      const Pairs::Block* __restrict pi = inner_.block(y, s->begin);
      const Pairs::Block* __restrict po = outer_.block(y, s->begin);
      const Pairs::Block* __restrict pr = down_red_.block(y, s->begin);
      const Pairs::Block* __restrict pb = down_black_.block(y, s->begin);
      for (int block = s->begin; block < s->end; block += LANES, ++pi, ++po, ++pr, ++pb)
        CREVASSE_BLOCK
        for (int l = 0; l < LANES; ++l) {
          const int j = block + l;
          float energy = weigh(*pi, l, second[j] - first[j], scale2, wi[j], fi[j]);
          energy += weigh(*po, l, first[j] - second[j - 1], scale2, wo[j], fo[j]);
          energy += weigh(*pr, l, next_black[j] - red[j], scale2, wr[j], fr[j]);
          energy += weigh(*pb, l, next_red[j] - black[j], scale2, wb[j], fb[j]);
          lanes[l] += static_cast<double>(energy);
        }
    }
    grid_.sum(y) = sum_lanes(lanes);
  }

  // Makes room for row y; what another row left would be taken for fluxes of pairs that are not there.
  void clear_lines(Lines& lines, int y) {
    if (lines.row >= 0)
      for (const Segment* s = grid_.spans.begin(lines.row); s != grid_.spans.end(lines.row); ++s)
        for (std::vector<float>* line : {&lines.inner, &lines.outer, &lines.red, &lines.black})
          std::fill(line->begin() + MARGIN + s->begin, line->begin() + MARGIN + s->end, 0.0f);
    lines.row = y;
  }

  void weigh(int y, float scale, bool flat, Lines& lines) {
    clear_lines(lines, y);
    const float scale2 = scale * scale;
    if (scale < 0.0f) {
      weigh_row<true, false, true>(y, scale2, lines);
    } else if (scale == 0.0f) {
      weigh_row<true, false>(y, scale2, lines);
    } else if (flat) {
      weigh_row<false, true>(y, scale2, lines);
    } else {
      weigh_row<false, false>(y, scale2, lines);
    }
  }

  // Weights, right sides and inverse diagonals of this member's rows.
  void weigh_rows(int member, float scale, bool flat) {
    const int begin = grid_.first(member), end = grid_.last(member);
    Share& share = *shares_[static_cast<std::size_t>(member)];
    Lines* previous = nullptr;
    for (int y = begin; y < end; ++y) {
      if (y % SELDOM == 0) team_.tick(member);
      Lines* lines = y == begin ? &share.first : (y % 2 ? &share.odd : &share.even);
      weigh(y, scale, flat, *lines);
      if (y > begin) balance(y, *lines, *previous);
      previous = lines;
    }
    share.last = previous;
    team_.barrier();
    if (begin >= end) return;
    // The first row needs the last row of the share above.
    Lines* above = &nothing_;
    for (int m = 0; m < member; ++m)
      if (grid_.last(m) == begin && grid_.first(m) < begin) above = shares_[static_cast<std::size_t>(m)]->last;
    balance(begin, share.first, *above);
  }

  // What is left of the balance of forces at each point of row y, and the inverse diagonal.
  void balance(int y, const Lines& lines, const Lines& above) {
    const int shift = y % 2;
    // The colour in the even columns has its pair inside the half column to the right, the other to the left.
    balance_colour(y, true, shift == 0 ? grid_.side_red.row(y) : grid_.side_black.row(y),
                   shift == 0 ? grid_.inverse_red.row(y) : grid_.inverse_black.row(y), lines,
                   shift == 0 ? lines.red : lines.black, shift == 0 ? above.black : above.red,
                   shift == 0 ? grid_.down_red.row(y) : grid_.down_black.row(y),
                   shift == 0 ? grid_.down_black.row(y - 1) : grid_.down_red.row(y - 1));
    balance_colour(y, false, shift == 0 ? grid_.side_black.row(y) : grid_.side_red.row(y),
                   shift == 0 ? grid_.inverse_black.row(y) : grid_.inverse_red.row(y), lines,
                   shift == 0 ? lines.black : lines.red, shift == 0 ? above.red : above.black,
                   shift == 0 ? grid_.down_black.row(y) : grid_.down_red.row(y),
                   shift == 0 ? grid_.down_red.row(y - 1) : grid_.down_black.row(y - 1));
  }

  void balance_colour(int y, bool even, Out side, Out inv, const Lines& lines, const std::vector<float>& below_line,
                      const std::vector<float>& above_line, Row below_weight, Row above_weight) {
    Row in = lines.inner.data() + MARGIN, out = lines.outer.data() + MARGIN + (even ? 0 : 1);
    Row below = below_line.data() + MARGIN, above = above_line.data() + MARGIN;
    Row wi = grid_.inner.row(y), wo = grid_.outer.row(y) + (even ? 0 : 1);
    const float sign = even ? 1.0f : -1.0f;
    each_column(grid_.spans, y, [&](Index j) {
      side[j] = sign * (in[j] - out[j]) + (below[j] - above[j]);
      inv[j] = inverse((wi[j] + wo[j]) + (below_weight[j] + above_weight[j]));
    });
  }

  // Moves the heights of row y by the solution; sums how far.
  void add_row(int y) {
    double moved = add_colour(y, grid_.value_red.row(y), red_.row(y));
    moved += add_colour(y, grid_.value_black.row(y), black_.row(y));
    grid_.sum(y) = moved;
  }

  double add_colour(int y, Row step, double* __restrict z) {
    double lanes[LANES] = {};
    for (const Segment* s = grid_.spans.begin(y); s != grid_.spans.end(y); ++s)
      for (int j = s->begin; j < s->end; j += LANES)
        for (int l = 0; l < LANES; ++l) {
          z[j + l] += static_cast<double>(step[j + l]);
          lanes[l] += static_cast<double>(std::fabs(step[j + l]));
        }
    return sum_lanes(lanes);
  }

  // ---- judging the state ----------------------------------------------------------------------------------------

  // What `strength` says of the contacts of row y, by column, in whole blocks; 0 where there is none.
  template <class Strength>
  void bind_row(int y, Lines& lines, Strength strength, float* __restrict right, float* __restrict down) {
    judge_row(y, lines, strength);
    std::fill(right, right + columns_, 0.0f);
    std::fill(down, down + columns_, 0.0f);
    Row inner = lines.inner.data() + MARGIN, outer = lines.outer.data() + MARGIN + 1;
    Row even = (y % 2 == 0 ? lines.red : lines.black).data() + MARGIN;
    Row odd = (y % 2 == 0 ? lines.black : lines.red).data() + MARGIN;
    for (const Segment* s = grid_.spans.begin(y); s != grid_.spans.end(y); ++s)
      CREVASSE_LANES
      for (int j = s->begin; j < s->end; ++j) {
        right[2 * j] = inner[j];
        right[2 * j + 1] = outer[j];
        down[2 * j] = even[j];
        down[2 * j + 1] = odd[j];
      }
  }

  // The verdict on the contact of every pair of row y; 0 where there is none.
  template <class Verdict>
  void judge_row(int y, Lines& lines, Verdict verdict) {
    const bool even = y % 2 == 0;
    const double* first = even ? red_.row(y) : black_.row(y);
    const double* second = even ? black_.row(y) : red_.row(y);
    judge_family(y, inner_, first, second, lines.inner, verdict);
    judge_family(y, outer_, second - 1, first, lines.outer, verdict);
    judge_family(y, down_red_, red_.row(y), black_.row(y + 1), lines.red, verdict);
    judge_family(y, down_black_, black_.row(y), red_.row(y + 1), lines.black, verdict);
  }

  template <class Verdict>
  void judge_family(int y, const Pairs& pairs, const double* za, const double* zb, std::vector<float>& line,
                    Verdict verdict) {
    std::fill(line.begin(), line.end(), 0.0f);
    float* out = line.data() + MARGIN;
    each_block(y, pairs, [&](const Pairs::Block& pair, int j, int l) {
      const float r = static_cast<float>(zb[j] - za[j] - pair.target[l]), v = pair.variance[l];
      const Contact met{r, pair.twist[l], OUTLIER * (v + FLOOR * FLOOR), pair.ahead[l], pair.behind[l]};
      const float value = verdict(met);
      out[j] = v >= 0.0f ? value : 0.0f;
    });
  }

  float pair_right(int y, int x, const Lines& lines) const {
    (void)y;
    return (x % 2 == 0 ? lines.inner : lines.outer)[static_cast<std::size_t>(MARGIN + (x + 1) / 2)];
  }
  float pair_down(int y, int x, const Lines& lines) const {
    return ((x + y) % 2 == 0 ? lines.red : lines.black)[static_cast<std::size_t>(MARGIN + x / 2)];
  }

  void add_energies(int y, const Lines& lines, const int* labels, double* out) const {
    if (labels == nullptr) {
      double sum = 0;
      for (const Segment* s = grid_.spans.begin(y); s != grid_.spans.end(y); ++s)
        for (int j = s->begin; j < s->end; ++j) {
          const std::size_t at = static_cast<std::size_t>(MARGIN + j);
          sum += static_cast<double>(lines.inner[at] + lines.outer[at]) + static_cast<double>(lines.red[at] + lines.black[at]);
        }
      out[1] += sum;
      return;
    }
    for (int x = 0; x < columns_; ++x) {
      const int label = labels[index(y, x, columns_)];
      if (label == 0) continue;
      if (x + 1 < columns_) out[label] += static_cast<double>(pair_right(y, x, lines));
      out[label] += static_cast<double>(pair_down(y, x, lines));
    }
  }

  double& height(int y, int x) { return ((x + y) % 2 == 0 ? red_ : black_).row(y)[x / 2]; }

  // How pixel (y, x) meets the one right of or below it.
  Contact contact(int y, int x, bool down) {
    if (!is_pair(y, x, down)) return Contact();
    const int other_y = down ? y + 1 : y, other_x = down ? x : x + 1;
    Pairs& pairs = pairs_of(y, x, down);
    const int j = half_of(x, down);
    const float variance = pairs.variance(y, j);
    const double gap = height(other_y, other_x) - height(y, x) - pairs.target(y, j);
    return {static_cast<float>(gap), pairs.twist(y, j), OUTLIER * (variance + FLOOR * FLOOR),
            pairs.ahead(y, j), pairs.behind(y, j)};
  }

  static float constant(const Pairs& pairs, int which, int y, int j) {
    const Pairs::Block& block = *pairs.block(y, j);
    switch (which) {
      case 0: return static_cast<float>(block.target[j % LANES]);
      case 1: return block.twist[j % LANES];
      case 2: return block.variance[j % LANES];
      case 3: return block.crease[j % LANES];
      case 4: return block.ahead[j % LANES];
      default: return block.behind[j % LANES];
    }
  }

  struct Share {
    Lines first, even, odd;
    Lines* last = nullptr;
    explicit Share(const Layout& layout) : first(layout), even(layout), odd(layout) {}
  };

  int rows_, columns_;
  double curvature_;
  bool held_ = false;
  std::optional<Crease> considered_;  // the evidence that the pairs have
  Team team_;
  Multigrid<float> grid_;
  Pairs inner_, outer_, down_red_, down_black_;
  Plane<double> red_, black_;
  std::vector<float> right_, down_, doubt_, spread_;
  std::vector<Step> steps_;  // by rows
  std::vector<std::unique_ptr<Share>> shares_;
  Lines nothing_;
};

}  // namespace crevasse
