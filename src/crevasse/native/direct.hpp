// Exact elimination on the coarsest level of a thin mask.
//
// A long thin band vanishes from coarse grids before it is short: every second row and column of a band one point wide
// are no band any more. So its levels end where it is still some points wide, and what is left is eliminated, from one
// end to the other: only what lies between the first neighbour of a point and itself fills up.
#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

#include "level.hpp"

namespace crevasse {

template <class T>
class Direct {
 public:
  // used(y, column) tells whether a grid point is part of the mask.
  template <class Used>
  Direct(int rows, int columns, Used used) : width_(columns + 2), numbers_(place(rows + 1, -1), NONE) {
    for (int y = 0; y < rows; ++y)
      for (int x = 0; x < columns; ++x)
        if (used(y, x)) number({y, x}) = UNSEEN;
    for (int y = 0; y < rows; ++y)
      for (int x = 0; x < columns; ++x)
        if (number({y, x}) == UNSEEN) order_from({y, x});
    find_extents();
    std::vector<int>().swap(numbers_);
  }

  // Numbers that a solve goes through, and products that a factorisation makes at most.
  std::int64_t entries() const { return first_.back(); }
  std::int64_t products() const {
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < points_.size(); ++i) sum += (first_[i + 1] - first_[i]) * (first_[i + 1] - first_[i]);
    return sum;
  }

  // Eliminates the points of the level in their order. Links are only added to each other, so that weak ones keep their
  // precision beside strong ones.
  void factorise(const Level<T>& level) {
    links_.assign(static_cast<std::size_t>(entries()), 0.0);
    pivots_.assign(points_.size(), 0.0);
    pins_.resize(points_.size());
    sizes_.assign(points_.size(), 0.0);
    column_.assign(points_.size(), 0.0);
    for (std::size_t i = 0; i < points_.size(); ++i) load(level, i);
    for (std::size_t k = 0; k < points_.size(); ++k) eliminate(k);
  }

  // The level's values from its right sides.
  void solve(Level<T>& level) {
    std::vector<double>& x = column_;
    for (std::size_t i = 0; i < points_.size(); ++i)
      x[i] = static_cast<double>(level.side(points_[i].row, points_[i].column));
    centre(x);
    for (std::size_t i = 0; i < points_.size(); ++i) {
      const double* links = row(i);
      for (std::size_t k = least_[i]; k < i; ++k) x[i] += links[k] * x[k];
    }
    for (std::size_t i = 0; i < points_.size(); ++i) x[i] *= pivots_[i];
    for (std::size_t i = points_.size(); i-- > 0;) {
      const double* links = row(i);
      for (std::size_t k = least_[i]; k < i; ++k) x[k] += links[k] * x[i];
    }
    centre(x);
    for (std::size_t i = 0; i < points_.size(); ++i)
      level.set(points_[i].row, points_[i].column, static_cast<T>(x[i]));
  }

 private:
  static constexpr int NONE = -1, UNSEEN = -2;
  static constexpr double ROUNDING = 1e-5;

  struct Point {
    int row, column;
  };
  struct Link {
    std::size_t to;
    Side side;
  };

  // There is a margin of one point around the grid.
  std::size_t place(int row, int column) const {
    return static_cast<std::size_t>(row + 1) * static_cast<std::size_t>(width_) + static_cast<std::size_t>(column + 1);
  }
  int& number(const Point& p) { return numbers_[place(p.row, p.column)]; }

  // Numbers all points that hang together with one, nearest first, beginning at an end: one of those farthest from it.
  void order_from(const Point& point) {
    const std::size_t begin = points_.size();
    spread_from(point);
    const Point end = points_.back();
    for (std::size_t i = begin; i < points_.size(); ++i) number(points_[i]) = UNSEEN;
    points_.resize(begin);
    spread_from(end);
    ends_.push_back(points_.size());
  }

  void spread_from(const Point& point) {
    std::size_t next = points_.size();
    const auto take = [&](const Point& p) {
      if (number(p) != UNSEEN) return;
      number(p) = static_cast<int>(points_.size());
      points_.push_back(p);
    };
    take(point);
    for (; next < points_.size(); ++next)
      for (const Side& side : SIDES) {
        const Point here = points_[next];
        take({here.row + side.down, here.column + side.right});
      }
  }

  void find_extents() {
    first_.push_back(0);
    last_.resize(points_.size());
    begin_.push_back(0);
    for (std::size_t i = 0; i < points_.size(); ++i) {
      std::size_t least = i;
      for (const Side& side : SIDES) {
        const int other = number({points_[i].row + side.down, points_[i].column + side.right});
        if (other == NONE || static_cast<std::size_t>(other) > i) continue;
        least = std::min(least, static_cast<std::size_t>(other));
        earlier_.push_back({static_cast<std::size_t>(other), side});
      }
      begin_.push_back(earlier_.size());
      least_.push_back(least);
      first_.push_back(first_.back() + static_cast<std::int64_t>(i - least));
      last_[least] = i;
    }
    for (std::size_t k = 1; k < points_.size(); ++k) last_[k] = std::max(last_[k], last_[k - 1]);
  }

  // The links of point i by the other point's number, from least_[i] on.
  double* row(std::size_t i) {
    return links_.data() + (first_[i] - static_cast<std::int64_t>(least_[i]));
  }

  void load(const Level<T>& level, std::size_t i) {
    const Point& point = points_[i];
    for (std::size_t n = begin_[i]; n < begin_[i + 1]; ++n) {
      const double link = static_cast<double>(level.link(point.row, point.column, earlier_[n].side));
      row(i)[earlier_[n].to] = link;
      sizes_[i] += link;
      sizes_[earlier_[n].to] += link;
    }
    pins_[i] = static_cast<double>(level.pin(point.row, point.column));
  }

  // Takes the mean from what hangs together and is free to move: it means nothing, and would drown the differences.
  void centre(std::vector<double>& x) const {
    std::size_t begin = 0;
    for (std::size_t end : ends_) {
      const auto from = x.begin() + static_cast<Index>(begin), to = x.begin() + static_cast<Index>(end);
      const double mean = std::accumulate(from, to, 0.0) / static_cast<double>(end - begin);
      if (pivots_[end - 1] == 0.0) std::for_each(from, to, [&](double& value) { value -= mean; });
      begin = end;
    }
  }

  // Joins the later neighbours of point k through it; its links become the shares in which it follows them.
  void eliminate(std::size_t k) {
    double linked = 0;
    for (std::size_t i = k + 1; i <= last_[k]; ++i) {
      column_[i] = least_[i] <= k ? row(i)[k] : 0.0;
      linked += column_[i];
    }
    // The last of those that hang together: what pins it may be rounding, and would move all of them far.
    const bool free = linked == 0.0 && pins_[k] < ROUNDING * sizes_[k];
    pivots_[k] = free ? 0.0 : inverse(linked + pins_[k]);
    for (std::size_t i = k + 1; i <= last_[k]; ++i) {
      if (column_[i] == 0.0) continue;
      double* links = row(i);
      const double share = column_[i] * pivots_[k];
      for (std::size_t j = k + 1; j < i; ++j) links[j] += share * column_[j];
      pins_[i] += share * pins_[k];
      links[k] = share;
    }
  }

  int width_;
  std::vector<int> numbers_;               // of the grid's points, while they are put in order
  std::vector<Point> points_;
  std::vector<std::size_t> ends_;          // of the points that hang together
  std::vector<Link> earlier_;              // links of all points to those before them
  std::vector<std::size_t> begin_;         // where those of each point begin
  std::vector<std::size_t> least_, last_;  // the first point each is linked to, and the last one linked to any up to it
  std::vector<std::int64_t> first_;        // where the links of each point begin
  std::vector<double> links_, pivots_, pins_, sizes_, column_;
};

}  // namespace crevasse
