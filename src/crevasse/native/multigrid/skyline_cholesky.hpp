// Skyline Cholesky: direct solution on the coarsest level of a thin mask.
//
// A long thin band disappears from coarse grids before it is short: every second row and column of a band one point
// wide is not a band any more. So its hierarchy ends while the band is still some points wide, and what is left is
// factorised from one end to the other: each row of the factor fills up only from its first neighbour to the diagonal.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "level.hpp"

namespace crevasse {

template <class T>
class SkylineCholesky {
 public:
  // used(y, column) tells whether a grid point is part of the mask.
  template <class Used>
  SkylineCholesky(int rows, int columns, Used used) : width_(columns + 2), numbers_(place(rows + 1, -1), NONE) {
    for (int y = 0; y < rows; ++y)
      for (int x = 0; x < columns; ++x)
        if (used(y, x)) number({y, x}) = UNSEEN;
    for (int y = 0; y < rows; ++y)
      for (int x = 0; x < columns; ++x)
        if (number({y, x}) == UNSEEN) order_from({y, x});
    find_extents();
    std::vector<int>().swap(numbers_);
  }

  // Entries of the factor, which a solve reads, and an upper bound of the products of a factorisation.
  std::int64_t entries() const { return first_.back(); }
  std::int64_t products() const {
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < points_.size(); ++i) sum += (first_[i + 1] - first_[i]) * (first_[i + 1] - first_[i]);
    return sum;
  }

  // Eliminates the points of the level in their order. Weights are only added, never subtracted, so that weak
  // ones keep their precision beside strong ones.
  void factorise(const Level<T>& level) {
    links_.assign(static_cast<std::size_t>(entries()), 0.0);
    pivots_.assign(points_.size(), 0.0);
    pins_.resize(points_.size());
    sizes_.assign(points_.size(), 0.0);
    column_.assign(points_.size(), 0.0);
    for (std::size_t i = 0; i < points_.size(); ++i) load(level, i);
    for (std::size_t k = 0; k < points_.size(); ++k) eliminate(k);
  }

  // The level's values from its right-hand sides.
  void solve(Level<T>& level) {
    std::vector<double>& x = column_;
    for (std::size_t i = 0; i < points_.size(); ++i)
      x[i] = static_cast<double>(level.rhs(points_[i].row, points_[i].column));
    centre(x);
    for (std::size_t i = 0; i < points_.size(); ++i) {
      const double* links = row(i);
      for (std::size_t k = least_[i]; k < i; ++k) x[i] += links[k - least_[i]] * x[k];
    }
    for (std::size_t i = 0; i < points_.size(); ++i) x[i] *= pivots_[i];
    for (std::size_t i = points_.size(); i-- > 0;) {
      const double* links = row(i);
      for (std::size_t k = least_[i]; k < i; ++k) x[k] += links[k - least_[i]] * x[i];
    }
    centre(x);
    for (std::size_t i = 0; i < points_.size(); ++i) level.set(points_[i].row, points_[i].column, static_cast<T>(x[i]));
  }

 private:
  static constexpr int NONE = -1, UNSEEN = -2;
  static constexpr double ROUNDING = 1e-5;

  struct Point {
    int row, column;
  };
  struct Link {
    std::size_t to;
    Direction direction;
  };

  // There is a margin of one point around the grid.
  std::size_t place(int row, int column) const {
    return static_cast<std::size_t>(row + 1) * static_cast<std::size_t>(width_) + static_cast<std::size_t>(column + 1);
  }
  int& number(const Point& p) { return numbers_[place(p.row, p.column)]; }

  // Numbers all points connected to one, breadth first, beginning at an end: one of the points farthest from it (the
  // order of Cuthill and McKee).
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
      for (const Direction& to : NEIGHBOURS) {
        const Point here = points_[next];
        take({here.row + to.down, here.column + to.right});
      }
  }

  void find_extents() {
    first_.push_back(0);
    last_.resize(points_.size());
    begin_.push_back(0);
    for (std::size_t i = 0; i < points_.size(); ++i) {
      std::size_t least = i;
      for (const Direction& to : NEIGHBOURS) {
        const int other = number({points_[i].row + to.down, points_[i].column + to.right});
        if (other == NONE || static_cast<std::size_t>(other) > i) continue;
        least = std::min(least, static_cast<std::size_t>(other));
        earlier_.push_back({static_cast<std::size_t>(other), to});
      }
      begin_.push_back(earlier_.size());
      least_.push_back(least);
      first_.push_back(first_.back() + static_cast<std::int64_t>(i - least));
      last_[least] = i;
    }
    for (std::size_t k = 1; k < points_.size(); ++k) last_[k] = std::max(last_[k], last_[k - 1]);
  }

  // The links of point i to the points from least_[i] on.
  double* row(std::size_t i) { return links_.data() + first_[i]; }

  void load(const Level<T>& level, std::size_t i) {
    const Point& point = points_[i];
    for (std::size_t n = begin_[i]; n < begin_[i + 1]; ++n) {
      const double link = static_cast<double>(level.link(point.row, point.column, earlier_[n].direction));
      row(i)[earlier_[n].to - least_[i]] = link;
      sizes_[i] += link;
      sizes_[earlier_[n].to] += link;
    }
    pins_[i] = static_cast<double>(level.pin(point.row, point.column));
  }

  // Subtracts the mean from every connected component that is free to move: the mean is arbitrary, and a large one
  // would cost the differences their precision.
  void centre(std::vector<double>& x) const {
    std::size_t begin = 0;
    for (std::size_t end : ends_) {
      const auto from = x.begin() + static_cast<Index>(begin), to = x.begin() + static_cast<Index>(end);
      const double mean = std::accumulate(from, to, 0.0) / static_cast<double>(end - begin);
      if (pivots_[end - 1] == 0.0) std::for_each(from, to, [&](double& value) { value -= mean; });
      begin = end;
    }
  }

  // Eliminates point k: connects its later neighbours with each other. Its own links become the shares in which it
  // follows them.
  void eliminate(std::size_t k) {
    double linked = 0;
    for (std::size_t i = k + 1; i <= last_[k]; ++i) {
      column_[i] = least_[i] <= k ? row(i)[k - least_[i]] : 0.0;
      linked += column_[i];
    }
    // The last point of a component: its pin may be mere rounding, which would move the whole component far.
    const bool free = linked == 0.0 && pins_[k] < ROUNDING * sizes_[k];
    pivots_[k] = free ? 0.0 : inverse(linked + pins_[k]);
    for (std::size_t i = k + 1; i <= last_[k]; ++i) {
      if (column_[i] == 0.0) continue;
      double* links = row(i) + (k - least_[i]);
      const double share = column_[i] * pivots_[k];
      for (std::size_t j = 1; j < i - k; ++j) links[j] += share * column_[k + j];
      pins_[i] += share * pins_[k];
      links[0] = share;
    }
  }

  int width_;
  std::vector<int> numbers_;  // of the grid's points, while they are ordered
  std::vector<Point> points_;
  std::vector<std::size_t> ends_;          // of the connected components
  std::vector<Link> earlier_;              // edges of all points to earlier ones
  std::vector<std::size_t> begin_;         // where those of each point begin
  std::vector<std::size_t> least_, last_;  // the first point each is linked to, and the last one linked to any up to it
  std::vector<std::int64_t> first_;        // where the links of each point begin
  std::vector<double> links_, pivots_, pins_, sizes_, column_;
};

}  // namespace crevasse
