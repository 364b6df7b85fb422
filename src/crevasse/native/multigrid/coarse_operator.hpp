// Coarse operators: Galerkin products of a level, stored as the edge weights of the next coarser one.
#pragma once

#include <memory>
#include <utility>

#include "../threads/pulse.hpp"
#include "fine_level.hpp"
#include "galerkin.hpp"
#include "level.hpp"

namespace crevasse {

// Products of a row of cells and of the one before it.
struct RowProducts {
  std::unique_ptr<Products> now, before;
  explicit RowProducts(std::size_t size) : now(new Products(size)), before(new Products(size)) {}
};

template <class T>
void set_interpolation(Cell<T>& cell, const Interpolation<T>& p, int i) {
  cell.left = p.left.row(i);
  cell.right = p.right.row(i);
  cell.up = p.up.row(i);
  cell.down = p.down.row(i);
  cell.left1 = p.left.row(i + 1);
  cell.right1 = p.right.row(i + 1);
  cell.up1 = p.up.row(i) + 1;
  cell.down1 = p.down.row(i) + 1;
}

template <class T>
Cell<T> make_cell(const FineLevel<T>& fine, int i) {
  const int y = 2 * i;
  Cell<T> cell{};
  cell.c_h = fine.inner.row(y);
  cell.h_c = fine.outer.row(y) + 1;
  cell.c_v = fine.down_red.row(y);
  cell.v_c = fine.down_black.row(y + 1);
  cell.h_x = fine.down_black.row(y);
  cell.x_h = fine.down_red.row(y + 1);
  cell.v_x = fine.inner.row(y + 1);
  cell.x_v = fine.outer.row(y + 1) + 1;
  if (fine.pinned) {
    cell.pin_c = fine.pin_red.row(y);
    cell.pin_h = fine.pin_black.row(y);
    cell.pin_v = fine.pin_black.row(y + 1);
    cell.pin_x = fine.pin_red.row(y + 1);
  }
  set_interpolation(cell, fine.interpolation, i);
  return cell;
}

template <class T>
Cell<T> make_cell(const Level<T>& v, int i) {
  const int y = 2 * i;
  Cell<T> cell{};
  cell.c_h = v.inner.row(y);
  cell.h_c = v.outer.row(y) + 1;
  cell.c_v = v.down_e.row(y);
  cell.v_c = v.down_e.row(y + 1);
  cell.h_x = v.down_o.row(y);
  cell.x_h = v.down_o.row(y + 1);
  cell.v_x = v.inner.row(y + 1);
  cell.x_v = v.outer.row(y + 1) + 1;
  cell.c_x = v.right_e.row(y);
  cell.d_x = v.left_e.row(y) + 1;
  cell.h_v = v.left_o.row(y);
  cell.h_w = v.right_o.row(y);
  cell.v_h = v.right_e.row(y + 1);
  cell.w_h = v.left_e.row(y + 1) + 1;
  cell.x_e = v.left_o.row(y + 1);
  cell.x_f = v.right_o.row(y + 1);
  cell.pin_c = v.pin_e.row(y);
  cell.pin_h = v.pin_o.row(y);
  cell.pin_v = v.pin_e.row(y + 1);
  cell.pin_x = v.pin_o.row(y + 1);
  set_interpolation(cell, v.interpolation, i);
  return cell;
}

// Products of row i of the cells, for the blocks of cells that touch a used point of coarse row i or i + 1; each once.
template <Extras E, class T>
void multiply_row(const Cell<T>& cell, int i, const Level<T>& coarse, Products& out) {
  const auto run = [&](int from, int to) {
    if (from < to) multiply_cells<E>(cell, from, to, out);
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

// Adds up the products of the cells around coarse row i, and stores them split by column parity.
template <class T>
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
  Out<T> inner_row = coarse.inner.row(i);
  Out<T> outer_row = coarse.outer.row(i);
  Out<T> down_e = coarse.down_e.row(i), down_o = coarse.down_o.row(i);
  Out<T> right_e = coarse.right_e.row(i), right_o = coarse.right_o.row(i);
  Out<T> left_e = coarse.left_e.row(i), left_o = coarse.left_o.row(i);
  Out<T> pin_e = coarse.pin_e.row(i), pin_o = coarse.pin_o.row(i);
  for (const Segment* s = coarse.spans.begin(i); s != coarse.spans.end(i); ++s) {
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
      pin_e[j] = larger<T>(static_cast<T>((nw[k] + ne[k - 1]) + (sw[k] + se[k - 1])), 0);
      pin_o[j] = larger<T>(static_cast<T>((nw[k + 1] + ne[k]) + (sw[k + 1] + se[k])), 0);
    }
  }
}

// Coarse rows from `begin` to `end`: the products of the finer level's cells. tick(): called now and then.
template <Extras E, class Finer, class T, class Tick>
void multiply_rows(const Finer& finer, Level<T>& coarse, int begin, int end, RowProducts& scratch, Tick tick) {
  if (begin >= end) return;
  for (int i = begin - 1; i < end; ++i) {
    if (i % ROWS_PER_PULSE == 0) tick();
    std::swap(scratch.now, scratch.before);
    if (i < 0) {
      scratch.now->clear();
      continue;
    }
    multiply_row<E>(make_cell(finer, i), i, coarse, *scratch.now);
    if (i >= begin) store_row(i, coarse, *scratch.now, *scratch.before);
  }
}

}  // namespace crevasse
