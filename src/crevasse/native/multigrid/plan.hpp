// The levels of a hierarchy, before they have values.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "../grid/row_packing.hpp"
#include "skyline_cholesky.hpp"

namespace crevasse {

constexpr std::int64_t THIN = 4;                     // a thin mask uses less than one in so many points of its box
constexpr std::int64_t ALWAYS_AFFORDABLE = 1 << 16;  // entries that a direct solver may always have
constexpr std::int64_t SHARED_WORK = 2048;           // half columns from which a level is shared between threads

// In this file used(y, column) tells whether a grid point is part of the mask.
template <class T>
struct Plan {
  std::vector<Shape> shapes;                   // the finest level first
  std::unique_ptr<SkylineCholesky<T>> direct;  // of the last level, if there is one
};

// Rows at which the work of a level is divided between `size` members; only the first one works if `shared` is false.
inline std::vector<int> share_rows(const Spans& spans, int rows, bool shared, int size) {
  std::vector<int> cuts = spans.shares(rows, shared ? size : 1);
  cuts.resize(static_cast<std::size_t>(size) + 1, rows);
  return cuts;
}
inline bool is_worth_sharing(const Spans& spans, int rows) { return spans.work_before(rows) >= SHARED_WORK; }

template <class Used>
std::int64_t count_used(int rows, int columns, Used used) {
  std::int64_t points = 0;
  for (int y = 0; y < rows; ++y)
    for (int x = 0; x < columns; ++x) points += used(y, x) ? 1 : 0;
  return points;
}

// The direct solver of a level, if it costs no more than a sweep over the finest one.
template <class T, class Used>
std::unique_ptr<SkylineCholesky<T>> factorise_thin(int rows, int columns, Used used, std::int64_t pixels) {
  const std::int64_t most = std::max(pixels / 4, ALWAYS_AFFORDABLE);
  // Points of a band have at least two edges to earlier ones.
  if (2 * count_used(rows, columns, used) > most) return nullptr;
  auto found = std::make_unique<SkylineCholesky<T>>(rows, columns, used);
  return found->entries() <= most && found->products() <= 64 * most ? std::move(found) : nullptr;
}

// Plans the finest level and all coarser ones, each with every second row and column: down to 2 x 2 points, or to the
// first level of a thin mask that can be solved directly. compact: pack the rows of sparse masks.
template <class T, class Used>
Plan<T> plan_levels(int rows, int columns, Used used, bool compact) {
  Plan<T> plan;
  const std::int64_t pixels = count_used(rows, columns, used);
  const bool thin = THIN * pixels < static_cast<std::int64_t>(rows) * columns;
  for (int step = 1;; step *= 2) {
    const auto here = [&](int y, int column) { return used(y * step, column * step); };
    plan.shapes.emplace_back(rows, columns, here);
    if (rows <= 2 && columns <= 2) break;
    if (thin && step > 1) plan.direct = factorise_thin<T>(rows, columns, here, pixels);
    if (plan.direct) break;
    rows = (rows + 1) / 2;
    columns = (columns + 1) / 2;
  }
  if (compact) pack_rows(plan.shapes);
  return plan;
}

}  // namespace crevasse
