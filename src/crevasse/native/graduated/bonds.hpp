// Bonds between parts of a surface.
#pragma once

#include <algorithm>
#include <memory>
#include <numeric>
#include <vector>

#include "../threads/pulse.hpp"

namespace crevasse {

// How strongly two parts are bound to each other.
struct Bond {
  int first, second;  // first < second
  float strength;
};

// Bonds between parts, sorted by their first and second part.
struct Bonds {
  std::unique_ptr<Bond[]> list;
  int count = 0;

  template <class Visit>
  void each(Visit visit, Pulse& pulse) const {
    for (int i = 0; i < count; ++i) {
      if (i % POINTS_PER_PULSE == 0) pulse();
      visit(list[static_cast<std::size_t>(i)]);
    }
  }
};

// Adds up bonds between the same parts among those from `begin` to `end`, which have the same first part, sorts them
// and writes them to `out`; returns their end. seen: for each part, where a bond with it was written.
inline Bond* add_up(const Bond* begin, const Bond* end, Bond* out, const Bond* list, std::vector<int>& seen) {
  Bond* last = out;
  for (const Bond* from = begin; from != end; ++from) {
    const Bond bond = *from;
    int& place = seen[static_cast<std::size_t>(bond.second)];
    if (place >= out - list) {
      out[place - (out - list)].strength += bond.strength;
    } else {
      place = static_cast<int>(last - list);
      *last++ = bond;
    }
  }
  std::sort(out, last, [](const Bond& x, const Bond& y) { return x.second < y.second; });
  return last;
}

// One bond per two parts that meet, sorted by both. meet(visit) visits pairs of parts, bind(visit) visits the same
// pairs with their strengths, which are added up in this order; -1 is no part. Pairs are not stored unsorted, because
// on a large map they take more memory than the map. About half of the pairs lie within one part, which no branch
// prediction could foresee: these all go to place 0.
template <class Meet, class Bind>
Bonds gather(int count, Meet meet, Bind bind, Pulse& pulse) {
  const auto owner = [](int a, int b) { return static_cast<std::size_t>((std::min(a, b) + 1) * (a != b)); };
  std::vector<int> begin;
  fill(begin, static_cast<std::size_t>(count) + 2, 0, pulse);
  int* counts = begin.data() + 1;
  meet([&](int a, int b) { ++counts[owner(a, b)]; });
  counts[0] = 1;
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  std::unique_ptr<Bond[]> list(new Bond[static_cast<std::size_t>(begin.back())]);
  std::vector<int> places = begin;
  int* next = places.data();
  Bond* to = list.get();
  bind([&](int a, int b, float strength) {
    const std::size_t part = owner(a, b);
    to[next[part]] = {std::min(a, b), std::max(a, b), strength};
    next[part] += part != 0;
  });
  fill(places, static_cast<std::size_t>(count), -1, pulse);
  Bond* end = to;
  for (int part = 1; part <= count; ++part) {
    if (part % POINTS_PER_PULSE == 0) pulse();
    end = add_up(to + begin[static_cast<std::size_t>(part)], to + begin[static_cast<std::size_t>(part) + 1], end, to,
                 places);
  }
  return {std::move(list), static_cast<int>(end - to)};
}

}  // namespace crevasse
