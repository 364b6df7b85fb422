// Several passes over the rows of a level at once.
#pragma once

#include "../threads/team.hpp"

namespace crevasse {

// Runs passes over the rows from `begin` to `end`, where each pass needs the rows above and below from the pass before
// it. The passes follow each other closely, so that rows are still in cache. Rows that depend on other members' rows
// are done after `sync`, when the others have finished the pass before.
template <class Sync, class... Passes>
void pipeline(Team& team, int member, int begin, int end, int rows, Sync sync, Passes&&... passes) {
  const int top = begin > 0, bottom = end < rows;
  const auto inside = [&](int y, int pass) { return y >= begin + pass * top && y < end - pass * bottom; };
  for (int y = begin; y < end + static_cast<int>(sizeof...(passes)) - 1; ++y) {
    if (y % ROWS_PER_PULSE == 0) team.tick(member);
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

}  // namespace crevasse
