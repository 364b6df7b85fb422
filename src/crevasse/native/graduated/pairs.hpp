// What is known of pairs of neighbouring pixels.
//
// Pair (a, b), b right of or below a: its gap is R = z_b - z_a - target, and the jumps at its two common corners are
// R + twist and R - twist.
#pragma once

#include "../grid/plane.hpp"

namespace crevasse {

// One family of pairs in split layout. The values of a block of pairs lie together: every outer iteration reads all of
// them once, and a few long streams arrive from memory sooner than many short ones.
class Pairs {
 public:
  struct alignas(32) Block {
    double target[LANES];
    float twist[LANES], variance[LANES];               // variance < 0: not a pair
    float crease[LANES], ahead[LANES], behind[LANES];  // A (< 0: hints hold the pair), and K for R > 0 and R < 0
  };

  Pairs() = default;
  // Margins are left out, except where rows are packed: there they belong to other rows.
  explicit Pairs(const Layout& layout)
      : layout_(layout), across_(static_cast<std::size_t>((layout.half + LANES - 1) / LANES)),
        blocks_(layout.packed() ? layout.size() / LANES : static_cast<std::size_t>(layout.rows) * across_) {}

  // The block of row y that contains half column j.
  Block* block(int y, int j) { return blocks_.data() + place(y, j); }
  const Block* block(int y, int j) const { return blocks_.data() + place(y, j); }

  double& target(int y, int j) { return block(y, j)->target[lane(j)]; }
  float& twist(int y, int j) { return block(y, j)->twist[lane(j)]; }
  float& variance(int y, int j) { return block(y, j)->variance[lane(j)]; }
  float& crease(int y, int j) { return block(y, j)->crease[lane(j)]; }
  float& ahead(int y, int j) { return block(y, j)->ahead[lane(j)]; }
  float& behind(int y, int j) { return block(y, j)->behind[lane(j)]; }

  static std::size_t lane(int j) { return static_cast<std::size_t>(j) % LANES; }

 private:
  std::size_t place(int y, int j) const {
    const std::size_t row = layout_.packed() ? (layout_.margin() + static_cast<std::size_t>(layout_.index(y))) / LANES
                                             : static_cast<std::size_t>(y) * across_;
    return row + static_cast<std::size_t>(j) / LANES;
  }

  Layout layout_;
  std::size_t across_ = 0;
  Zeros<Block> blocks_;
};

// All pairs of a map, by the family of edges of the multigrid's finest level that they belong to.
struct PairFamilies {
  Pairs inner, outer, down_red, down_black;

  explicit PairFamilies(const Layout& layout) : inner(layout), outer(layout), down_red(layout), down_black(layout) {}

  // The family of the pair of pixel (y, x) with the one right of or below it.
  Pairs& of(int y, int x, bool down) {
    if (down) return (x + y) % 2 == 0 ? down_red : down_black;
    return x % 2 == 0 ? inner : outer;
  }
  // The half column of that pair in its family.
  static int half_column(int x, bool down) { return down ? x / 2 : (x + 1) / 2; }

  // Families of the pairs from even and odd columns down.
  Pairs& down_even(int y) { return y % 2 == 0 ? down_red : down_black; }
  Pairs& down_odd(int y) { return y % 2 == 0 ? down_black : down_red; }
};

}  // namespace crevasse
