// Conjugate gradients on a weighted 5-point Laplacian, preconditioned by a multigrid V-cycle, in either precision.
//
// Points are red where row + column is even. Black points are eliminated exactly (each is the weighted mean of its
// red neighbours plus its own right side), so that conjugate gradients run on the red ones only. A red point of an
// even row is C, of an odd row X; a black one of an even row H, of an odd row V (see level.hpp).
#pragma once

#include <limits>
#include <memory>

#include "direct.hpp"
#include "elimination.hpp"
#include "level.hpp"

namespace crevasse {

constexpr std::int64_t THIN = 4;  // a mask that uses less than one in so many points of its box
constexpr std::int64_t FEW = 1 << 16;  // numbers that an elimination may always have
constexpr std::int64_t SHARED_WORK = 2048;  // half columns from which a level is worth sharing between threads

template <class T>
class Multigrid {
  using Row = const T* __restrict;
  using Out = T* __restrict;

 public:
  Layout layout;
  Spans spans;
  // Weights: red-black inside a half column, across half columns, and downwards from red and from black.
  Plane<T> inner, outer, down_red, down_black, inverse_red, inverse_black;
  Plane<T> side_red, side_black;    // right side
  Plane<T> value_red, value_black;  // solution

  // used(y, column) tells whether a grid point is part of the mask. Compact: rows of a thin mask are pushed together, and
  // nothing may be read or written outside the spans.
  template <class Used>
  Multigrid(int rows, int columns, Used used, Team& team, bool compact = false)
      : Multigrid(plan(rows, columns, used, compact), team) {}

  // Gives all memory back, piece by piece: the system takes a while to take it. Nothing can be solved any more.
  void release(Pulse& pulse) {
    for (Plane<T>* plane : planes()) {
      *plane = Plane<T>();
      pulse();
    }
    interpolation_ = Interpolation<T>();
    for (; !levels_.empty(); levels_.pop_back()) pulse();
  }

  int first(int member) const { return cuts_[static_cast<std::size_t>(member)]; }
  int last(int member) const { return cuts_[static_cast<std::size_t>(member) + 1]; }
  Team& team() { return team_; }

  // Sums one number a row in the order of the rows, so that the sum does not depend on the threads.
  double total() const { return total(sums_); }
  double& sum(int y) { return sums_[static_cast<std::size_t>(y)]; }

  // Rebuilds interpolation and coarse operators from the current weights. All members call it; ends in a barrier.
  void rebuild(int member) {
    if (member == 0) elimination_.reset();
    if (levels_.empty()) return;
    if (member == team_.size() - 1) find_chains(member);
    for (int i = (first(member) + 1) / 2; i < (last(member) + 1) / 2; ++i) {
      if (i % SELDOM == 0) team_.tick(member);
      interpolate_fine(i);
    }
    team_.barrier();
    multiply_rows(member, -1, *levels_[0]);
    team_.barrier();
    invert(member, *levels_[0]);
    team_.barrier();
    for (std::size_t l = 0; l + 1 < levels_.size(); ++l) {
      Level<T>& level = *levels_[l];
      Level<T>& coarse = *levels_[l + 1];
      if (coarse.solo && member != 0) break;
      interpolate(member, level, coarse.solo);
      multiply_rows(member, static_cast<int>(l), coarse);
      if (!coarse.solo) team_.barrier();
      invert(member, coarse);
      if (!coarse.solo) team_.barrier();
    }
    if (member == 0) {
      for (auto& level : levels_) level->find_chains();
      if (direct_) direct_->factorise(*levels_.back());
    }
    team_.barrier();
  }

  // From now on until the next rebuild, an approximate elimination helps the V-cycle. All members call it.
  void help(int member) {
    team_.barrier();
    if (member == 0) eliminate();
    team_.checkpoint(member);
  }
  bool helped() const { return elimination_ != nullptr; }

  // Solves for `value` from 0, given `side`: at most `limit` (> 0) iterations, until the residual of the reduced system
  // falls below `tolerance` times its first one. Returns the iterations; ends in a barrier.
  int solve(int member, int limit, double tolerance) {
    double last_rho = 0, begin = 0;
    T alpha = 0;
    int iteration = 0;
    for (; iteration < limit; ++iteration) {
      if (iteration == 0) {
        restrict_after(member, [&](int y) { fold(y); }, [&](int y) { reduce(y); });
      } else {
        restrict_after(member, [&](int y) { descend(y, alpha); });
      }
      alpha = 0;
      team_.checkpoint(member);
      const double size = total(sums_);
      if (iteration == 0) begin = size;
      if (!(size > 0) || (iteration > 0 && size <= tolerance * tolerance * begin)) break;
      correct(member);
      team_.barrier();
      if (elimination_ || !beside_.empty() || !below_.empty()) {
        if (member == 0) solve_chains();
        if (member == 0 && elimination_) add_elimination();
        team_.barrier();
      }
      const double rho = total(sums_);
      if (!(rho > 0)) break;
      multiply(member, iteration == 0 ? 0 : static_cast<T>(rho / last_rho));
      team_.barrier();
      last_rho = rho;
      const double bend = total(bends_);
      // Where only rounding is left, the direction lies in the kernel: a step along it would be endless.
      if (!(bend > STRAIGHT * rho)) break;
      alpha = static_cast<T>(rho / bend);
    }
    finish(member, alpha);
    team_.barrier();
    return iteration;
  }

 private:
  struct Plan {
    std::vector<Shape> shapes;               // the finest level first
    std::unique_ptr<Direct<T>> elimination;  // of the last level, if there is one
  };

  Multigrid(Plan plan, Team& team)
      : layout(plan.shapes.front().layout), spans(plan.shapes.front().spans), team_(team),
        direct_(std::move(plan.elimination)), scratch_(static_cast<std::size_t>(team.size())) {
    const std::vector<Shape>& shapes = plan.shapes;
    const int rows = layout.rows;
    for (Plane<T>* plane : planes()) *plane = Plane<T>(layout);
    interpolation_ = Interpolation<T>(shapes.front().between);
    cuts_ = spans.shares(rows, shared(spans, rows) ? team.size() : 1);
    cuts_.resize(static_cast<std::size_t>(team.size()) + 1, rows);
    sums_.resize(static_cast<std::size_t>(rows));
    bends_.resize(static_cast<std::size_t>(rows));
    for (std::size_t l = 1; l < shapes.size(); ++l) {
      auto level = std::make_unique<Level<T>>(shapes[l]);
      const int r = level->layout.rows;
      const bool last = l + 1 == shapes.size();
      level->solo = (last && direct_) || (!levels_.empty() && levels_.back()->solo) || !shared(level->spans, r);
      level->cuts = level->spans.shares(r, level->solo ? 1 : team.size());
      level->cuts.resize(static_cast<std::size_t>(team.size()) + 1, r);
      levels_.push_back(std::move(level));
    }
    for (auto& scratch : scratch_) scratch = std::make_unique<Scratch>(layout.stride + 2 * MARGIN);
  }

  // The finest level and all coarser ones, each with every second row and column: down to 2 x 2 points, or to where a
  // thin mask can be eliminated.
  template <class Used>
  static Plan plan(int rows, int columns, Used used, bool compact) {
    Plan plan;
    const std::int64_t pixels = count(rows, columns, used);
    const bool thin = THIN * pixels < static_cast<std::int64_t>(rows) * columns;
    for (int step = 1;; step *= 2) {
      const auto here = [&](int y, int column) { return used(y * step, column * step); };
      plan.shapes.emplace_back(rows, columns, here);
      if (rows <= 2 && columns <= 2) break;
      if (thin && step > 1) plan.elimination = eliminate_thin(rows, columns, here, pixels);
      if (plan.elimination) break;
      rows = (rows + 1) / 2;
      columns = (columns + 1) / 2;
    }
    if (compact) push_together(plan.shapes);
    return plan;
  }

  // The elimination of a level, if it costs no more than a sweep over the finest.
  template <class Used>
  static std::unique_ptr<Direct<T>> eliminate_thin(int rows, int columns, Used used, std::int64_t pixels) {
    const std::int64_t most = std::max(pixels / 4, FEW);
    // Points of a band have two links or more to those before them.
    if (2 * count(rows, columns, used) > most) return nullptr;
    auto found = std::make_unique<Direct<T>>(rows, columns, used);
    return found->entries() <= most && found->products() <= 64 * most ? std::move(found) : nullptr;
  }

  template <class Used>
  static std::int64_t count(int rows, int columns, Used used) {
    std::int64_t points = 0;
    for (int y = 0; y < rows; ++y)
      for (int x = 0; x < columns; ++x) points += used(y, x) ? 1 : 0;
    return points;
  }

  static constexpr double STRAIGHT = 100 * static_cast<double>(std::numeric_limits<T>::epsilon());

  struct Scratch {
    std::vector<T> first, second, third;
    std::unique_ptr<Products> products, before;
    explicit Scratch(std::size_t size)
        : first(size), second(size), third(size), products(new Products(size)), before(new Products(size)) {}
  };

  std::vector<Plane<T>*> planes() {
    return {&inner,      &outer,       &down_red, &down_black, &inverse_red, &inverse_black, &side_red, &side_black,
            &value_red,  &value_black, &scaled_,  &residual_,  &direction_,  &image_,        &half_,    &correction_};
  }

  static double total(const std::vector<double>& sums) {
    double sum = 0;
    for (double value : sums) sum += value;
    return sum;
  }

  // Passes over rows, each of which needs the rows above and below from the pass before it: they follow each other
  // closely, so that rows are still in cache. What hangs on other members' rows is done after they have come as far.
  template <class Sync, class... Passes>
  void pipeline(int member, int begin, int end, int rows, Sync sync, Passes&&... passes) {
    const int top = begin > 0, bottom = end < rows;
    const auto inside = [&](int y, int pass) { return y >= begin + pass * top && y < end - pass * bottom; };
    for (int y = begin; y < end + static_cast<int>(sizeof...(passes)) - 1; ++y) {
      if (y % SELDOM == 0) team_.tick(member);
      int pass = 0;
      (((inside(y - pass, pass) ? passes(y - pass) : void()), ++pass), ...);
    }
    int pass = 0;
    const auto complete = [&](auto& work) {
      if (pass > 0) {
        sync();
        for (int y = begin; y < end; ++y)
          if (!inside(y, pass)) work(y);
      }
      ++pass;
    };
    (complete(passes), ...);
  }
  template <class... Passes>
  void pipeline(int member, Passes&&... passes) {
    pipeline(member, first(member), last(member), layout.rows, [&] { team_.barrier(); }, passes...);
  }

  static bool shared(const Spans& spans, int rows) { return spans.work_before(rows) >= SHARED_WORK; }

  template <class Work>
  void across(int y, Work work) const {
    crevasse::across(layout, spans, y, work);
  }
  template <class Work>
  double sum_across(int y, Work work) const {
    return crevasse::sum_across(layout, spans, y, work);
  }
  static double product(T a, T b) { return static_cast<double>(a) * static_cast<double>(b); }

  // The links of the points of one colour in row y. The neighbour in the other half column lies at the right
  // (shift 1) or at the left (shift 0, index i - 1).
  struct Around {
    Row in, out, below, above;
    Index next, last;  // to the rows below and above
    int shift;

    // Weighted sum of the values of the opposite colour around point i.
    T pull(Row values, Index i) const {
      return (in[i] * values[i] + out[i + shift] * values[i + 2 * shift - 1]) +
             (below[i] * values[i + next] + above[i - last] * values[i - last]);
    }
  };
  Around around_red(int y) const { return around(y, down_red, down_black, y & 1); }
  Around around_black(int y) const { return around(y, down_black, down_red, 1 - (y & 1)); }
  Around around(int y, const Plane<T>& below, const Plane<T>& above, int shift) const {
    return {flat(inner), flat(outer), flat(below), flat(above), layout.to_next(y), layout.to_next(y - 1), shift};
  }

  // Folds the black right sides into the red ones.
  void fold(int y) {
    Row b = flat(side_black), inv = flat(inverse_black);
    Out h = flat(half_);
    across(y, [&](Index i) { h[i] = b[i] * inv[i]; });
  }
  void reduce(int y) {
    const Around around = around_red(y);
    Row b = flat(side_red), inv = flat(inverse_red), h = flat(half_);
    Out r = flat(residual_);
    Out u = flat(scaled_);
    Out x = flat(value_red);
    sum(y) = sum_across(y, [&](Index i) {
      // A point without neighbours has nothing to solve.
      r[i] = inv[i] > 0 ? b[i] + around.pull(h, i) : 0;
      u[i] = r[i] * inv[i];
      x[i] = 0;
      return product(r[i], r[i]);
    });
  }

  // half = what the red points around each black one of row y pull it to.
  void pull_black(int y, const Plane<T>& red) {
    const Around around = around_black(y);
    Row values = flat(red), inv = flat(inverse_black);
    Out h = flat(half_);
    across(y, [&](Index i) { h[i] = around.pull(values, i) * inv[i]; });
  }

  // The first half of a V-cycle on the residual, after the passes that make it. A red and a black sweep from 0 leave at
  // red what black pulls; at X it is scaled at once.
  template <class... Passes>
  void restrict_after(int member, Passes&&... passes) {
    const auto leave = [&](int y) {
      if (levels_.empty()) return;
      const Around around = around_red(y);
      Row inv = flat(inverse_red), h = flat(half_);
      Out v = flat(correction_);
      if (y & 1) {
        across(y, [&](Index i) { v[i] = around.pull(h, i) * inv[i]; });
      } else {
        across(y, [&](Index i) { v[i] = around.pull(h, i); });
      }
    };
    const auto restrict = [&](int y) {
      if (y % 2 == 0 && !levels_.empty()) restrict_fine(member, y / 2, *levels_[0]);
    };
    pipeline(member, passes..., [&](int y) { pull_black(y, scaled_); }, leave, restrict);
  }

  // The second half: image = M residual; sums residual * image by row.
  void correct(int member) {
    if (levels_.empty()) {
      team_.barrier();
    } else {
      cycle(member, 0);
    }
    const auto prolong = [&](int y) {
      if (!levels_.empty()) {
        prolong_fine(member, y, *levels_[0]);
      } else {
        for (const Segment* s = spans.begin(y); s != spans.end(y); ++s)
          std::copy(scaled_.row(y) + s->begin, scaled_.row(y) + s->end, correction_.row(y) + s->begin);
      }
    };
    const auto pull_red = [&](int y) {
      const Around around = around_red(y);
      Row inv = flat(inverse_red), r = flat(residual_), h = flat(half_);
      Out z = flat(image_);
      sum(y) = sum_across(y, [&](Index i) {
        z[i] = (r[i] + around.pull(h, i)) * inv[i];
        return product(r[i], z[i]);
      });
    };
    pipeline(member, prolong, [&](int y) { pull_black(y, correction_); }, pull_red);
  }

  // Finds the strips of the finest level: the X of odd rows, held together by loose V, and of odd columns, by H.
  void find_chains(int member) {
    beside_.clear();
    below_.clear();
    for (int y = 1; y < layout.rows; y += 2) {
      if (y % SELDOM == 1) team_.tick(member);
      Row n = down_red.row(y - 1), s = down_black.row(y), w = outer.row(y), e = inner.row(y);
      int after = -1;  // the half column that would go on with the open chain
      const auto loose = [&](int k) { return n[k] + s[k] < T(LOOSE) * smaller_of(w[k], e[k]); };
      each_found(spans, y, loose, [&](int k) {
        if (k != after) {
          if (after >= 0) beside_.close();
          beside_.add({y, k - 1}, reduced_diagonal(y, k - 1), 0);
        }
        beside_.add({y, k}, reduced_diagonal(y, k), w[k] * e[k] * inverse_black.row(y)[k]);
        after = k + 1;
      });
      if (after >= 0) beside_.close();
    }
    find_below(member);
  }

  // By rows first, since columns lie far apart in memory; loose points are few.
  void find_below(int member) {
    std::vector<std::pair<int, int>> loose;
    for (int y = 2; y < layout.rows; y += 2) {
      if (y % SELDOM == 0) team_.tick(member);
      Row n = down_red.row(y - 1), s = down_black.row(y), w = inner.row(y), e = outer.row(y) + 1;
      each_found(spans, y, [&](int k) { return w[k] + e[k] < T(LOOSE) * smaller_of(n[k], s[k]); },
                 [&](int k) { loose.emplace_back(k, y); });
    }
    std::sort(loose.begin(), loose.end());
    for (std::size_t at = 0; at < loose.size(); ++at) {
      const auto [k, y] = loose[at];
      const bool follows = at > 0 && loose[at - 1].first == k && loose[at - 1].second == y - 2;
      if (!follows) {
        if (at > 0) below_.close();
        below_.add({y - 1, k}, reduced_diagonal(y - 1, k), 0);
      }
      const T link = down_red.row(y - 1)[k] * down_black.row(y)[k] * inverse_black.row(y)[k];
      below_.add({y + 1, k}, reduced_diagonal(y + 1, k), link);
    }
    if (!loose.empty()) below_.close();
  }

  // The diagonal of the reduced operator at X: each link in series with what its black end holds on to otherwise.
  T reduced_diagonal(int y, int k) const {
    const auto series = [](T weight, T inv) { return weight * std::fmax(T(0), 1 - weight * inv); };
    return (series(inner.row(y)[k], inverse_black.row(y)[k]) + series(outer.row(y)[k + 1], inverse_black.row(y)[k + 1])) +
           (series(down_black.row(y - 1)[k], inverse_black.row(y - 1)[k]) +
            series(down_red.row(y)[k], inverse_black.row(y + 1)[k]));
  }

  void solve_chains() {
    double product = 0;
    for (const Chains<T>* chains : {&beside_, &below_})
      for (std::size_t c = 0; c < chains->count(); ++c)
        product += chains->solve(
            c, scratch(0).third, [&](auto p) { return residual_.row(p.row)[p.column]; },
            [&](auto p, T value) { image_.row(p.row)[p.column] += value; });
    sums_[0] += product;
  }

  // Without the memory for it, the V-cycle stays alone.
  void eliminate() try {
    auto found = std::make_unique<Elimination>(layout.rows * layout.half);
    for (int y = 0; y < layout.rows; ++y)
      for (const Segment* s = spans.begin(y); s != spans.end(y); ++s)
        for (int j = s->begin; j < std::min(s->end, layout.half); ++j) join_around(*found, y, j);
    column_.resize(static_cast<std::size_t>(found->points()));
    found->factorise([this] { team_.tick(0); });
    elimination_ = std::move(found);
  } catch (const std::bad_alloc&) {
  }

  // The red neighbours of a black point are joined through it.
  void join_around(Elimination& elimination, int y, int j) const {
    const int shift = 1 - (y & 1), half = layout.half, here = y * half + j, beside = here + (shift ? 1 : -1);
    const double inv = static_cast<double>(inverse_black.row(y)[j]);
    const std::pair<int, double> ends[4] = {{here, inner.row(y)[j]}, {beside, outer.row(y)[j + shift]},
                                            {here + half, down_black.row(y)[j]}, {here - half, down_red.row(y - 1)[j]}};
    for (int a = 0; a < 4; ++a)
      for (int b = 0; b < a; ++b)
        elimination.join(ends[a].first, ends[b].first, ends[a].second * ends[b].second * inv);
  }

  void add_elimination() {
    const std::size_t half = static_cast<std::size_t>(layout.half);
    for (int y = 0; y < layout.rows; ++y)
      std::copy_n(residual_.row(y), half, column_.data() + static_cast<std::size_t>(y) * half);
    elimination_->apply(column_);
    double product = 0;
    for (int y = 0; y < layout.rows; ++y) {
      const double* from = column_.data() + static_cast<std::size_t>(y) * half;
      for (std::size_t j = 0; j < half; ++j) {
        image_.row(y)[j] += static_cast<T>(from[j]);
        product += static_cast<double>(residual_.row(y)[j]) * from[j];
      }
    }
    sums_[0] += product;
  }

  // direction = image + beta * direction, then image = S direction, S the reduced operator; sums direction * image.
  void multiply(int member, T beta) {
    pipeline(member, [&](int y) { advance(y, beta); }, [&](int y) { pull_black(y, direction_); },
             [&](int y) { multiply_row(y); });
  }

  void advance(int y, T beta) {
    Row z = flat(image_);
    Out p = flat(direction_);
    // Not times 0: what an earlier solve has left need not be a number.
    if (beta == 0) {
      across(y, [&](Index i) { p[i] = z[i]; });
    } else {
      across(y, [&](Index i) { p[i] = z[i] + beta * p[i]; });
    }
  }

  void multiply_row(int y) {
    const Around a = around_red(y);
    Row in = a.in, out = a.out, below = a.below, above = a.above, h = flat(half_), p = flat(direction_);
    const Index next = a.next, last = a.last, shift = a.shift;
    Out q = flat(image_);
    bends_[static_cast<std::size_t>(y)] = sum_across(y, [&](Index i) {
      q[i] = (in[i] * (p[i] - h[i]) + out[i + shift] * (p[i] - h[i + 2 * shift - 1])) +
             (below[i] * (p[i] - h[i + next]) + above[i - last] * (p[i] - h[i - last]));
      return product(p[i], q[i]);
    });
  }

  // value += alpha direction, residual -= alpha image; sums residual^2 by row.
  void descend(int y, T alpha) {
    Row p = flat(direction_), q = flat(image_), inv = flat(inverse_red);
    Out x = flat(value_red);
    Out r = flat(residual_);
    Out u = flat(scaled_);
    sum(y) = sum_across(y, [&](Index i) {
      x[i] += alpha * p[i];
      r[i] -= alpha * q[i];
      u[i] = r[i] * inv[i];
      return product(r[i], r[i]);
    });
  }

  // The last step, and black values from the red ones.
  void finish(int member, T alpha) {
    const auto step = [&](int y) {
      if (alpha == 0) return;
      Row p = flat(direction_);
      Out x = flat(value_red);
      across(y, [&](Index i) { x[i] += alpha * p[i]; });
    };
    pipeline(member, step, [&](int y) {
      const Around around = around_black(y);
      Row inv = flat(inverse_black), b = flat(side_black), values = flat(value_red);
      Out x = flat(value_black);
      across(y, [&](Index i) { x[i] = (b[i] + around.pull(values, i)) * inv[i]; });
    });
  }

  // Interpolation of a level; `alone`: member 0 does all of it, the others are not here.
  void interpolate(int member, Level<T>& level, bool alone) {
    const int begin = alone ? 0 : level.first(member) / 2;
    const int end = ((alone ? level.layout.rows : level.last(member)) + 1) / 2;
    const auto sync = [&] {
      if (!alone) team_.barrier();
    };
    for (int i = begin; i < end; ++i) level.interpolate_first(i);
    sync();
    for (int i = begin; i < end; ++i) level.interpolate_beside(i);
    sync();
    for (int i = begin; i < end; ++i) level.interpolate_below(i);
    sync();
  }

  void interpolate_fine(int i) {
    const int y = 2 * i;
    Row in = inner.row(y), out = outer.row(y), above = down_red.row(y), below = down_black.row(y + 1);
    Out al = interpolation_.left.row(i);
    Out ar = interpolation_.right.row(i);
    Out up = interpolation_.up.row(i);
    Out dn = interpolation_.down.row(i);
    each_column(spans, y, [&](Index k) { share(in[k], out[k + 1], al[k], ar[k]); });
    if (y + 1 >= layout.rows) return;
    each_column(spans, y + 1, [&](Index k) { share(above[k], below[k], up[k], dn[k]); });
  }

  // Coarse right sides of row i: C itself, and X by way of the H and V beside it.
  void restrict_fine(int member, int i, Level<T>& coarse) {
    const Index row = layout.index(2 * i), next = layout.to_next(2 * i), last = layout.to_next(2 * i - 1);
    Row v = flat(correction_) + row, hb = flat(down_black) + row, ha = flat(down_red) + row - last;
    Row in = flat(inner) + row, out = flat(outer) + row;
    Row al = interpolation_.left.row(i), ar = interpolation_.right.row(i);
    Row up = interpolation_.up.row(i), dm = interpolation_.down.row(i - 1);
    Out line = scratch(member).first.data() + MARGIN;
    const auto beside = [&](Index k) { return hb[k] * v[k + next] + ha[k] * v[k - last]; };
    for (const Segment* part = coarse.spans.begin(i); part != coarse.spans.end(i); ++part) {
      const Index begin = 2 * part->begin, count = 2 * (part->end - part->begin);
      each(begin, count, [&](Index k) {
        const T below = out[k + next] * v[k + next - 1] + in[k + next] * v[k + next];
        const T above = out[k - last] * v[k - last - 1] + in[k - last] * v[k - last];
        line[k] = v[k] + ((al[k] * beside(k) + ar[k - 1] * beside(k - 1)) + (up[k] * below + dm[k] * above));
      });
      split(line, *part, coarse.side_e.row(i), coarse.side_o.row(i));
    }
  }

  static void split(Row line, const Segment& s, Out even, Out odd) {
    each(s.begin, s.end - s.begin, [&](Index j) {
      even[j] = line[2 * j];
      odd[j] = line[2 * j + 1];
    });
  }

  // Coarse values of row i from half column `begin` of the finer level to `end`, that one included. Whole blocks: there
  // is room behind, and nothing else is there yet.
  static void merge(const Level<T>& coarse, int i, int begin, int end, Out line) {
    Row even = coarse.value_e.row(i), odd = coarse.value_o.row(i);
    each(begin / 2, (end - begin) / 2, [&](Index j) {
      line[2 * j] = even[j];
      line[2 * j + 1] = odd[j];
    });
    line[end] = even[end / 2];
  }

  // Red values of row y after the coarse correction.
  void prolong_fine(int member, int y, const Level<T>& coarse) {
    const int i = y / 2;
    Out line = scratch(member).first.data() + MARGIN;
    Row u = scaled_.row(y);
    Out x = correction_.row(y);
    if (y % 2 == 0) {
      for (const Segment* s = spans.begin(y); s != spans.end(y); ++s) {
        merge(coarse, i, s->begin, s->end, line);
        each(s->begin, s->end - s->begin, [&](Index k) { x[k] = u[k] + line[k]; });
      }
      return;
    }
    Out below = scratch(member).second.data() + MARGIN;
    Row al = interpolation_.left.row(i), ar = interpolation_.right.row(i);
    Row al1 = interpolation_.left.row(i + 1), ar1 = interpolation_.right.row(i + 1);
    Row up = interpolation_.up.row(i), dn = interpolation_.down.row(i);
    Row above = down_black.row(y - 1), under = down_red.row(y), in = inner.row(y), out = outer.row(y);
    Row inv = inverse_red.row(y);
    for (const Segment* s = spans.begin(y); s != spans.end(y); ++s) {
      merge(coarse, i, s->begin, s->end, line);
      merge(coarse, i + 1, s->begin, s->end, below);
      each(s->begin, s->end - s->begin, [&](Index k) {
        const T h = al[k] * line[k] + ar[k] * line[k + 1], h1 = al1[k] * below[k] + ar1[k] * below[k + 1];
        const T v = up[k] * line[k] + dn[k] * below[k], v1 = up[k + 1] * line[k + 1] + dn[k + 1] * below[k + 1];
        x[k] = u[k] + ((above[k] * h + under[k] * h1) + (in[k] * v + out[k + 1] * v1)) * inv[k];
      });
    }
  }

  // One V-cycle from value 0 on level l; solo levels are done by member 0 while the others wait. Ends in a barrier.
  void cycle(int member, std::size_t l) {
    Level<T>& level = *levels_[l];
    if (level.solo) {
      if (member == 0) cycle_alone(l);
      team_.barrier();
      return;
    }
    const int begin = level.first(member), end = level.last(member);
    const auto sync = [&] { team_.barrier(); };
    relax_and_restrict(member, begin, end, level, *levels_[l + 1], sync);
    team_.barrier();
    cycle(member, l + 1);
    correct_and_relax(member, begin, end, level, *levels_[l + 1], sync);
    team_.barrier();
    if (level.beside.empty() && level.below.empty()) return;
    if (member == 0) level.solve_chains(scratch(member).third);
    team_.barrier();
  }

  void cycle_alone(std::size_t l) {
    Level<T>& level = *levels_[l];
    const auto nothing = [] {};
    if (l + 1 == levels_.size() && direct_) {
      direct_->solve(level);
      return;
    }
    if (l + 1 < levels_.size()) {
      relax_and_restrict(0, 0, level.layout.rows, level, *levels_[l + 1], nothing);
      cycle_alone(l + 1);
      correct_and_relax(0, 0, level.layout.rows, level, *levels_[l + 1], nothing);
    } else {
      solve_coarsest(level);
    }
    level.solve_chains(scratch(0).third);
  }

  // At most 2 x 2 points: a few symmetric sweeps are a solution.
  static void solve_coarsest(Level<T>& level) {
    const int rows = level.layout.rows;
    const auto back = [&] {
      if (rows > 1) relax_back(level, 1);
      relax_back(level, 0);
    };
    level.relax_first_even(0);
    if (rows > 1) level.relax_first_odd(1);
    for (int sweep = 0; sweep < 3; ++sweep) {
      back();
      for (int y = 0; y < rows; ++y) {
        level.relax_even(y);
        level.relax_odd(y);
      }
    }
    back();
  }

  template <class Sync>
  void relax_and_restrict(int member, int begin, int end, Level<T>& level, Level<T>& coarse, Sync sync) {
    pipeline(member, begin, end, level.layout.rows, sync,
             [&](int y) {
               if (y % 2 == 0) level.relax_first_even(y);
             },
             [&](int y) {
               if (y % 2 == 1) level.relax_first_odd(y);
             },
             [&](int y) {
               if (y % 2 == 0) restrict_level(member, level, coarse, y / 2);
             });
  }

  template <class Sync>
  void correct_and_relax(int member, int begin, int end, Level<T>& level, const Level<T>& coarse, Sync sync) {
    pipeline(member, begin, end, level.layout.rows, sync, [&](int y) { correct_row(member, y, level, coarse); },
             [&](int y) {
               if (y % 2 == 1) relax_back(level, y);
             },
             [&](int y) {
               if (y % 2 == 0) relax_back(level, y);
             });
  }

  static void relax_back(Level<T>& level, int y) {
    level.relax_odd(y);
    level.relax_even(y);
  }

  void restrict_level(int member, const Level<T>& level, Level<T>& coarse, int i) {
    Out line = scratch(member).first.data() + MARGIN;
    for (const Segment* s = coarse.spans.begin(i); s != coarse.spans.end(i); ++s) {
      level.restrict_row(i, 2 * s->begin, 2 * (s->end - s->begin), line);
      split(line, *s, coarse.side_e.row(i), coarse.side_o.row(i));
    }
  }

  void correct_row(int member, int y, Level<T>& level, const Level<T>& coarse) {
    const int i = y / 2;
    Out line = scratch(member).first.data() + MARGIN;
    Out below = scratch(member).second.data() + MARGIN;
    for (const Segment* s = level.spans.begin(y); s != level.spans.end(y); ++s) {
      merge(coarse, i, s->begin, s->end, line);
      if (y % 2 == 0) {
        level.correct_even(i, s->begin, s->end, line);
      } else {
        merge(coarse, i + 1, s->begin, s->end, below);
        level.correct_odd(i, s->begin, s->end, line, below);
      }
    }
  }

  void invert(int member, Level<T>& level) {
    for (int y = level.first(member); y < level.last(member); ++y) level.invert_row(y);
  }

  // Galerkin products of level l (-1: the finest) into the rows of the coarse level that are this member's.
  void multiply_rows(int member, int l, Level<T>& coarse) {
    Scratch& mine = scratch(member);
    const int begin = coarse.first(member), end = coarse.last(member);
    if (begin >= end) return;
    for (int i = begin - 1; i < end; ++i) {
      if (i % SELDOM == 0) team_.tick(member);
      std::swap(mine.products, mine.before);
      if (i < 0) {
        clear(*mine.products);
        continue;
      }
      multiply_row(l, i, coarse, *mine.products);
      if (i >= begin) store_row(i, coarse, *mine.products, *mine.before);
    }
  }

  static void clear(Products& p) {
    for (auto* v : {&p.above, &p.left, &p.main, &p.anti, &p.below, &p.right, &p.nw, &p.ne, &p.sw, &p.se})
      std::fill(v->begin(), v->end(), 0.0);
  }

  // The blocks of cells that touch a coarse point in use, of coarse rows i and i + 1; none is looked at twice.
  void multiply_row(int l, int i, const Level<T>& coarse, Products& out) {
    const Cell<T> cell = l < 0 ? fine_cell(i) : level_cell(*levels_[static_cast<std::size_t>(l)], i);
    const auto run = [&](int from, int to) {
      if (from >= to) return;
      if (l < 0) {
        multiply_cells<false>(cell, from, to, out);
      } else {
        multiply_cells<true>(cell, from, to, out);
      }
    };
    const bool last = i + 1 >= coarse.layout.rows;
    const Segment *above = coarse.spans.begin(i), *below = last ? nullptr : coarse.spans.begin(i + 1);
    const Segment *above_end = coarse.spans.end(i), *below_end = last ? nullptr : coarse.spans.end(i + 1);
    int done = 0;
    while (above != above_end || below != below_end) {
      const bool first = below == below_end || (above != above_end && above->begin < below->begin);
      const Segment& s = first ? *above++ : *below++;
      run(std::max(done, 2 * s.begin - LANES), 2 * s.end);
      done = std::max(done, 2 * s.end);
    }
  }

  Cell<T> fine_cell(int i) const {
    const int y = 2 * i;
    Cell<T> cell{};
    cell.c_h = inner.row(y); cell.h_c = outer.row(y) + 1; cell.c_v = down_red.row(y); cell.v_c = down_black.row(y + 1);
    cell.h_x = down_black.row(y); cell.x_h = down_red.row(y + 1);
    cell.v_x = inner.row(y + 1); cell.x_v = outer.row(y + 1) + 1;
    set_interpolation(cell, interpolation_, i);
    return cell;
  }

  static Cell<T> level_cell(const Level<T>& v, int i) {
    const int y = 2 * i;
    Cell<T> cell{};
    cell.c_h = v.inner.row(y); cell.h_c = v.outer.row(y) + 1; cell.c_v = v.down_e.row(y); cell.v_c = v.down_e.row(y + 1);
    cell.h_x = v.down_o.row(y); cell.x_h = v.down_o.row(y + 1);
    cell.v_x = v.inner.row(y + 1); cell.x_v = v.outer.row(y + 1) + 1;
    cell.c_x = v.right_e.row(y); cell.d_x = v.left_e.row(y) + 1;
    cell.h_v = v.left_o.row(y); cell.h_w = v.right_o.row(y);
    cell.v_h = v.right_e.row(y + 1); cell.w_h = v.left_e.row(y + 1) + 1;
    cell.x_e = v.left_o.row(y + 1); cell.x_f = v.right_o.row(y + 1);
    cell.pin_c = v.pin_e.row(y); cell.pin_h = v.pin_o.row(y);
    cell.pin_v = v.pin_e.row(y + 1); cell.pin_x = v.pin_o.row(y + 1);
    set_interpolation(cell, v.interpolation, i);
    return cell;
  }

  static void set_interpolation(Cell<T>& cell, const Interpolation<T>& p, int i) {
    cell.left = p.left.row(i); cell.right = p.right.row(i); cell.up = p.up.row(i); cell.down = p.down.row(i);
    cell.left1 = p.left.row(i + 1); cell.right1 = p.right.row(i + 1);
    cell.up1 = p.up.row(i) + 1; cell.down1 = p.down.row(i) + 1;
  }

  static T positive(T value) { return value > 0 ? value : 0; }

  // Sums what the cells around row i give its points, and splits it by column parity.
  void store_row(int i, Level<T>& coarse, const Products& now, const Products& before) {
    const double* above = now.above.data() + MARGIN;
    const double* left = now.left.data() + MARGIN;
    const double* main = now.main.data() + MARGIN;
    const double* anti = now.anti.data() + MARGIN;
    const double* right = now.right.data() + MARGIN;
    const double* below = before.below.data() + MARGIN;
    const double* nw = now.nw.data() + MARGIN;
    const double* ne = now.ne.data() + MARGIN;
    const double* sw = before.sw.data() + MARGIN;
    const double* se = before.se.data() + MARGIN;
    Out inner_row = coarse.inner.row(i);
    Out outer_row = coarse.outer.row(i);
    Out down_e = coarse.down_e.row(i), down_o = coarse.down_o.row(i);
    Out right_e = coarse.right_e.row(i), right_o = coarse.right_o.row(i);
    Out left_e = coarse.left_e.row(i), left_o = coarse.left_o.row(i);
    Out pin_e = coarse.pin_e.row(i), pin_o = coarse.pin_o.row(i);
    for (const Segment* s = coarse.spans.begin(i); s != coarse.spans.end(i); ++s)
      CREVASSE_LANES
      for (int j = s->begin; j < s->end; ++j) {
        const int k = 2 * j;
        inner_row[j] = static_cast<T>(above[k] + below[k]);
        outer_row[j] = static_cast<T>(above[k - 1] + below[k - 1]);
        const double de = left[k] + right[k - 1], d_odd = left[k + 1] + right[k];
        down_e[j] = static_cast<T>(de);
        down_o[j] = static_cast<T>(d_odd);
        right_e[j] = static_cast<T>(main[k]);
        right_o[j] = static_cast<T>(main[k + 1]);
        left_e[j] = static_cast<T>(anti[k - 1]);
        left_o[j] = static_cast<T>(anti[k]);
        pin_e[j] = positive(static_cast<T>((nw[k] + ne[k - 1]) + (sw[k] + se[k - 1])));
        pin_o[j] = positive(static_cast<T>((nw[k + 1] + ne[k]) + (sw[k + 1] + se[k])));
      }
  }

  Scratch& scratch(int member) { return *scratch_[static_cast<std::size_t>(member)]; }

  Team& team_;
  Plane<T> scaled_, residual_, direction_, image_, half_, correction_;
  Interpolation<T> interpolation_;
  Chains<T> beside_, below_;
  std::unique_ptr<Elimination> elimination_;
  std::unique_ptr<Direct<T>> direct_;  // solves the last level of a thin mask
  std::vector<double> column_;
  std::vector<std::unique_ptr<Level<T>>> levels_;
  std::vector<int> cuts_;
  std::vector<double> sums_, bends_;  // by row
  std::vector<std::unique_ptr<Scratch>> scratch_;
};

}  // namespace crevasse
