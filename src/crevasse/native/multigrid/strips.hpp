// Strips without coarse points, which line relaxation solves.
//
// A strip one point wide in an odd row (or column) contains no coarse point, so no coarse correction reaches it, and
// relaxation alone would take as many sweeps as the square of its length. The solutions of such strips are added to
// the preconditioner.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "../threads/team.hpp"
#include "fine_level.hpp"
#include "level.hpp"

namespace crevasse {

constexpr double LOOSE = 0.2;  // a point is loose if its edges to coarse points are this weak relative to the others

// Strips in row y.
template <class T>
void find_beside(Level<T>& level, int y) {
  In<T> w = level.outer.row(y), e = level.inner.row(y), n = level.down_e.row(y - 1), nw = level.right_o.row(y - 1),
        ne = level.left_o.row(y - 1);
  In<T> s = level.down_e.row(y), se = level.right_e.row(y), sw = level.left_e.row(y);
  const auto loose = [&](int k) {
    const T across = (n[k] + nw[k - 1] + ne[k]) + (s[k] + se[k] + sw[k]);
    return across < T(LOOSE) * smaller(e[k], w[k]);
  };
  int after = -1;  // the half column that would continue the open chain
  each_found(level.spans, y, loose, [&](int k) {
    if (k != after) {
      if (after >= 0) level.strips.beside.close();
      level.strips.beside.add({y, 2 * k - 1}, level.diagonal(y, 2 * k - 1), 0);
    }
    level.strips.beside.add({y, 2 * k}, level.diagonal(y, 2 * k), w[k]);
    level.strips.beside.add({y, 2 * k + 1}, level.diagonal(y, 2 * k + 1), e[k]);
    after = k + 1;
  });
  if (after >= 0) level.strips.beside.close();
}

// Strips in columns. Searches row by row, because columns lie far apart in memory; loose points are few.
template <class T>
void find_below(Level<T>& level) {
  std::vector<std::pair<int, int>> loose;
  for (int y = 2; y < level.layout.rows; y += 2) {
    In<T> n = level.down_o.row(y - 1), s = level.down_o.row(y), w = level.inner.row(y), e = level.outer.row(y) + 1;
    In<T> nw = level.right_e.row(y - 1), sw = level.left_o.row(y), ne = level.left_e.row(y - 1) + 1,
          se = level.right_o.row(y);
    const auto is_loose = [&](int k) {
      const T across = (w[k] + nw[k] + sw[k]) + (e[k] + ne[k] + se[k]), least = smaller(s[k], n[k]);
      return bool((least > 0) & (across < T(LOOSE) * least));
    };
    each_found(level.spans, y, is_loose, [&](int k) { loose.emplace_back(k, y); });
  }
  std::sort(loose.begin(), loose.end());
  for (std::size_t at = 0; at < loose.size(); ++at) {
    const auto [k, y] = loose[at];
    const int column = 2 * k + 1;
    const bool follows = at > 0 && loose[at - 1].first == k && loose[at - 1].second == y - 2;
    if (!follows) {
      if (at > 0) level.strips.below.close();
      level.strips.below.add({y - 1, column}, level.diagonal(y - 1, column), 0);
    }
    level.strips.below.add({y, column}, level.diagonal(y, column), level.down_o.row(y - 1)[k]);
    level.strips.below.add({y + 1, column}, level.diagonal(y + 1, column), level.down_o.row(y)[k]);
  }
  if (!loose.empty()) level.strips.below.close();
}

// Finds the strips of a coarse level.
template <class T>
void find_strips(Level<T>& level) {
  level.strips.clear();
  for (int y = 1; y < level.layout.rows; y += 2) find_beside(level, y);
  find_below(level);
}

// Adds the solutions of the strips to the values.
template <class T>
void solve_strips(Level<T>& level, std::vector<T>& line) {
  level.strips.solve(
      line, [&](auto p) { return level.rhs(p.row, p.column); },
      [&](auto p, T value) { level.add(p.row, p.column, value); });
}

// Diagonal of the Schur complement at X: its pin, and each edge in series with the rest of its black end's diagonal.
template <class T>
T reduced_diagonal(const FineLevel<T>& fine, int y, int k) {
  const auto series = [](T weight, T inv) { return weight * std::fmax(T(0), 1 - weight * inv); };
  return (series(fine.inner.row(y)[k], fine.inverse_black.row(y)[k]) +
          series(fine.outer.row(y)[k + 1], fine.inverse_black.row(y)[k + 1])) +
         (series(fine.down_black.row(y - 1)[k], fine.inverse_black.row(y - 1)[k]) +
          series(fine.down_red.row(y)[k], fine.inverse_black.row(y + 1)[k])) +
         fine.pin_at_red(y, k);
}

template <class T>
void find_fine_beside(const FineLevel<T>& fine, Team& team, int member, LineRelaxation<T>& beside) {
  for (int y = 1; y < fine.layout.rows; y += 2) {
    if (y % ROWS_PER_PULSE == 1) team.tick(member);
    In<T> n = fine.down_red.row(y - 1), s = fine.down_black.row(y), w = fine.outer.row(y), e = fine.inner.row(y);
    int after = -1;  // the half column that would continue the open chain
    const auto loose = [&](int k) { return n[k] + s[k] < T(LOOSE) * smaller(e[k], w[k]); };
    each_found(fine.spans, y, loose, [&](int k) {
      if (k != after) {
        if (after >= 0) beside.close();
        beside.add({y, k - 1}, reduced_diagonal(fine, y, k - 1), 0);
      }
      beside.add({y, k}, reduced_diagonal(fine, y, k), w[k] * e[k] * fine.inverse_black.row(y)[k]);
      after = k + 1;
    });
    if (after >= 0) beside.close();
  }
}

template <class T>
void find_fine_below(const FineLevel<T>& fine, Team& team, int member, LineRelaxation<T>& below) {
  std::vector<std::pair<int, int>> loose;
  for (int y = 2; y < fine.layout.rows; y += 2) {
    if (y % ROWS_PER_PULSE == 0) team.tick(member);
    In<T> n = fine.down_red.row(y - 1), s = fine.down_black.row(y), w = fine.inner.row(y), e = fine.outer.row(y) + 1;
    each_found(
        fine.spans, y, [&](int k) { return w[k] + e[k] < T(LOOSE) * smaller(s[k], n[k]); },
        [&](int k) { loose.emplace_back(k, y); });
  }
  std::sort(loose.begin(), loose.end());
  for (std::size_t at = 0; at < loose.size(); ++at) {
    const auto [k, y] = loose[at];
    const bool follows = at > 0 && loose[at - 1].first == k && loose[at - 1].second == y - 2;
    if (!follows) {
      if (at > 0) below.close();
      below.add({y - 1, k}, reduced_diagonal(fine, y - 1, k), 0);
    }
    const T link = fine.down_red.row(y - 1)[k] * fine.down_black.row(y)[k] * fine.inverse_black.row(y)[k];
    below.add({y + 1, k}, reduced_diagonal(fine, y + 1, k), link);
  }
  if (!loose.empty()) below.close();
}

// Finds the strips of the Schur complement of the finest level: X points of odd rows, linked through loose V, and of
// odd columns, linked through loose H.
template <class T>
void find_strips(const FineLevel<T>& fine, Team& team, int member, Strips<T>& strips) {
  strips.clear();
  find_fine_beside(fine, team, member, strips.beside);
  find_fine_below(fine, team, member, strips.below);
}

}  // namespace crevasse
