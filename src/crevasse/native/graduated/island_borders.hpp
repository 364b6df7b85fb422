// Borders between parts, and how firmly they hold them in place.
#pragma once

#include <vector>

#include "contact.hpp"
#include "parts.hpp"

namespace crevasse {

struct IslandRules {
  double slip;    // pixels by which a part is moved to see whether anything holds it
  double doubt;   // energy per contact below which a border does not hold
  double bridge;  // energy below which a bridge does not hold, however short the border
  int size;       // pixels of the smallest island
};

inline float slip_cost(const Contact& c, float shift) { return c.cost(c.gap + shift) - c.cost(c.gap); }

// The energy by which a contact resists slipping, beyond doubt.
inline float hold(const Contact& c, const IslandRules& rules) {
  const float shift = static_cast<float>(rules.slip), there = slip_cost(c, shift), back = slip_cost(c, -shift);
  return (there < back ? there : back) - static_cast<float>(rules.doubt);
}

// How closed a contact is, from 0 to 1.
inline float touch(const Contact& c) { return std::max(0.0f, 1.0f - c.cost(c.gap) / c.most(c.gap)); }

// A contact between two parts.
struct Border {
  int first, second;
  float bond, touch;  // its share of those of its shore
  Contact contact;
};

// All borders between two parts.
struct Shore {
  int first, second;
  double bond;   // the energy that holds them together
  double touch;  // how many contacts are closed, certain or not
};

// One shore per two of `count` parts that meet.
inline std::vector<Shore> gather_shores(const std::vector<Border>& borders, int count, Pulse& pulse) {
  std::vector<int> order;
  count_up(order, static_cast<int>(borders.size()), pulse);
  const auto border = [&](int i) -> const Border& { return borders[static_cast<std::size_t>(i)]; };
  sort_by(order, count, [&](int i) { return std::max(border(i).first, border(i).second); });
  sort_by(order, count, [&](int i) { return std::min(border(i).first, border(i).second); });
  std::vector<Shore> shores;
  for (const int i : order) {
    const int first = std::min(border(i).first, border(i).second), second = std::max(border(i).first, border(i).second);
    if (shores.empty() || shores.back().first != first || shores.back().second != second)
      shores.push_back({first, second, 0, 0});
    shores.back().bond += static_cast<double>(border(i).bond);
    shores.back().touch += static_cast<double>(border(i).touch);
  }
  return shores;
}

// The rise of the energy if the part moves by each of the shifts.
inline std::vector<double> energy_rises(int part, const std::vector<const Border*>& borders,
                                        const std::vector<double>& shifts) {
  std::vector<double> rises(shifts.size(), 0.0);
  In<double> shift = shifts.data();
  Out<double> out = rises.data();
  const int count = static_cast<int>(shifts.size());
  for (const Border* border : borders) {
    const Contact contact = border->contact;
    const float sign = border->first == part ? -1.0f : 1.0f, now = contact.cost(contact.gap);
    CREVASSE_LANES
    for (int w = 0; w < count; ++w)
      out[w] += static_cast<double>(contact.cost(contact.gap + sign * static_cast<float>(shift[w])) - now);
  }
  return rises;
}

}  // namespace crevasse
