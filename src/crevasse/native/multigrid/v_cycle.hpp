// The V-cycle over the coarse levels.
#pragma once

#include <memory>
#include <vector>

#include "../threads/team.hpp"
#include "coarse_operator.hpp"
#include "fine_transfer.hpp"
#include "operator_interpolation.hpp"
#include "pipeline.hpp"
#include "plan.hpp"
#include "smoother.hpp"
#include "strips.hpp"

namespace crevasse {

template <class T>
class VCycle {
 public:
  VCycle(Plan<T> plan, Team& team) : team_(team), direct_(std::move(plan.direct)) {
    const std::vector<Shape>& shapes = plan.shapes;
    for (std::size_t l = 1; l < shapes.size(); ++l) {
      auto level = std::make_unique<Level<T>>(shapes[l]);
      const int rows = level->layout.rows;
      const bool last = l + 1 == shapes.size();
      level->solo =
          (last && direct_) || (!levels_.empty() && levels_.back()->solo) || !is_worth_sharing(level->spans, rows);
      level->cuts = share_rows(level->spans, rows, !level->solo, team.size());
      levels_.push_back(std::move(level));
    }
    const std::size_t length = shapes.front().layout.stride + 2 * MARGIN;
    for (int member = 0; member < team.size(); ++member) scratch_.push_back(std::make_unique<Scratch>(length));
  }

  bool empty() const { return levels_.empty(); }

  void release(Pulse& pulse) {
    for (; !levels_.empty(); levels_.pop_back()) pulse();
  }

  // Space for one line of a member's own.
  std::vector<T>& spare_line(int member) { return scratch(member).spare; }

  // Rebuilds interpolation and coarse operators from the weights of the finest level. All members call it.
  void rebuild(int member, FineLevel<T>& fine) {
    for (int i = (fine.first(member) + 1) / 2; i < (fine.last(member) + 1) / 2; ++i) {
      if (i % ROWS_PER_PULSE == 0) team_.tick(member);
      interpolate_fine(fine, i);
    }
    team_.barrier();
    if (fine.pinned) {
      multiply<Extras::PINS>(member, fine, *levels_[0]);
    } else {
      multiply<Extras::NOTHING>(member, fine, *levels_[0]);
    }
    team_.barrier();
    invert(member, *levels_[0]);
    team_.barrier();
    for (std::size_t l = 0; l + 1 < levels_.size(); ++l) {
      Level<T>& level = *levels_[l];
      Level<T>& coarse = *levels_[l + 1];
      if (coarse.solo && member != 0) break;
      interpolate(member, level, coarse.solo);
      multiply<Extras::PINS_AND_DIAGONALS>(member, level, coarse);
      if (!coarse.solo) team_.barrier();
      invert(member, coarse);
      if (!coarse.solo) team_.barrier();
    }
    if (member == 0) {
      for (auto& level : levels_) find_strips(*level);
      if (direct_) direct_->factorise(*levels_.back());
    }
    team_.barrier();
  }

  // Restricts row 2i of the finest level to the first coarse one.
  void restrict_from(int member, const FineLevel<T>& fine, const Plane<T>& residual, int i) {
    restrict_fine(fine, residual, *levels_[0], i, line(member));
  }

  // Prolongs the first coarse level to row y of the finest one.
  void prolong_to(int member, const FineLevel<T>& fine, const Plane<T>& relaxed, int y, Plane<T>& out) {
    prolong_fine(fine, relaxed, *levels_[0], y, out, line(member), line_below(member));
  }

  // One V-cycle over the coarse levels, from value 0. Ends in a barrier.
  void run(int member) { run(member, 0); }

 private:
  struct Scratch {
    std::vector<T> line, below, spare;
    RowProducts products;
    explicit Scratch(std::size_t size) : line(size), below(size), spare(size), products(size) {}
  };

  Scratch& scratch(int member) { return *scratch_[static_cast<std::size_t>(member)]; }
  T* line(int member) { return scratch(member).line.data() + MARGIN; }
  T* line_below(int member) { return scratch(member).below.data() + MARGIN; }

  // Interpolation of a level; `alone`: member 0 does all of it, the others do not take part.
  void interpolate(int member, Level<T>& level, bool alone) {
    const int begin = alone ? 0 : level.first(member) / 2;
    const int end = ((alone ? level.layout.rows : level.last(member)) + 1) / 2;
    const auto sync = [&] {
      if (!alone) team_.barrier();
    };
    for (int i = begin; i < end; ++i) interpolate_v_from_c(level, i);
    sync();
    for (int i = begin; i < end; ++i) interpolate_h(level, i);
    sync();
    for (int i = begin; i < end; ++i) interpolate_v(level, i);
    sync();
  }

  template <Extras E, class Finer>
  void multiply(int member, const Finer& finer, Level<T>& coarse) {
    multiply_rows<E>(finer, coarse, coarse.first(member), coarse.last(member), scratch(member).products,
                     [&] { team_.tick(member); });
  }

  void invert(int member, Level<T>& level) {
    for (int y = level.first(member); y < level.last(member); ++y) invert_row(level, y);
  }

  // Levels that are too small to share are done by member 0 while the others wait. Ends in a barrier.
  void run(int member, std::size_t l) {
    Level<T>& level = *levels_[l];
    if (level.solo) {
      if (member == 0) run_alone(l);
      team_.barrier();
      return;
    }
    const auto sync = [&] { team_.barrier(); };
    relax_and_restrict(member, level.first(member), level.last(member), level, *levels_[l + 1], sync);
    team_.barrier();
    run(member, l + 1);
    prolong_and_relax(member, level.first(member), level.last(member), level, *levels_[l + 1], sync);
    team_.barrier();
    if (level.strips.empty()) return;
    if (member == 0) solve_strips(level, spare_line(member));
    team_.barrier();
  }

  void run_alone(std::size_t l) {
    Level<T>& level = *levels_[l];
    const auto nothing = [] {};
    if (l + 1 == levels_.size() && direct_) {
      direct_->solve(level);
      return;
    }
    if (l + 1 < levels_.size()) {
      relax_and_restrict(0, 0, level.layout.rows, level, *levels_[l + 1], nothing);
      run_alone(l + 1);
      prolong_and_relax(0, 0, level.layout.rows, level, *levels_[l + 1], nothing);
    } else {
      solve_coarsest(level);
    }
    solve_strips(level, spare_line(0));
  }

  template <class Sync>
  void relax_and_restrict(int member, int begin, int end, Level<T>& level, Level<T>& coarse, Sync sync) {
    const auto relax_even_rows = [&](int y) {
      if (y % 2 == 0) relax_first_even(level, y);
    };
    const auto relax_odd_rows = [&](int y) {
      if (y % 2 == 1) relax_first_odd(level, y);
    };
    const auto restrict = [&](int y) {
      if (y % 2 == 0) restrict_row(level, coarse, y / 2, line(member));
    };
    pipeline(team_, member, begin, end, level.layout.rows, sync, relax_even_rows, relax_odd_rows, restrict);
  }

  template <class Sync>
  void prolong_and_relax(int member, int begin, int end, Level<T>& level, const Level<T>& coarse, Sync sync) {
    const auto prolong = [&](int y) { prolong_row(level, coarse, y, line(member), line_below(member)); };
    const auto relax_odd_rows = [&](int y) {
      if (y % 2 == 1) relax_back(level, y);
    };
    const auto relax_even_rows = [&](int y) {
      if (y % 2 == 0) relax_back(level, y);
    };
    pipeline(team_, member, begin, end, level.layout.rows, sync, prolong, relax_odd_rows, relax_even_rows);
  }

  Team& team_;
  std::unique_ptr<SkylineCholesky<T>> direct_;  // solves the last level of a thin mask
  std::vector<std::unique_ptr<Level<T>>> levels_;
  std::vector<std::unique_ptr<Scratch>> scratch_;
};

}  // namespace crevasse
