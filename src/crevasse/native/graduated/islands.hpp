// Islands: parts whose place the energy does not determine.
//
// A part whose border is cut, or consists of doubtful contacts (grazing pixels, whose depth is uncertain), may as well
// lie elsewhere: a pixel nearer or farther, or where other contacts of its border close. Pixels are merged while
// slipping against each other costs more than a share of a contact; of the parts that are left, those that may lie
// elsewhere at little cost are islands.
#pragma once

#include <cmath>
#include <limits>

#include "island_borders.hpp"
#include "part_borders.hpp"

namespace crevasse {

class Islands {
 public:
  // parts: whose pixels hold each other.
  template <class Meeting>
  Islands(Parts&& parts, Meeting contact, const IslandRules& rules, Pulse& pulse)
      : rules_(rules), parts_(std::move(parts)), pulse_(pulse) {
    sizes_.assign(static_cast<std::size_t>(parts_.count), 0);
    for (std::size_t i = 0; i < parts_.labels.size(); ++i) {
      if (i % POINTS_PER_PULSE == 0) pulse();
      if (parts_.labels[i] >= 0) ++sizes_[static_cast<std::size_t>(parts_.labels[i])];
    }
    parts_.each_border(
        contact, [&](int a, int b, const Contact& c) { borders_.push_back({a, b, hold(c, rules), touch(c), c}); },
        pulse);
    count_up(whole_, parts_.count, pulse);
    shores_ = gather_shores(borders_, count(), pulse_);
    absorb_small();
    loose_.assign(sizes_.size(), false);
    while (join_held()) {
    }
  }

  // Labels from 1, largest first, 0 outside; returns their number.
  int write(int* out) const {
    std::vector<int> order(sizes_.size()), rank(sizes_.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return size(a) > size(b); });
    for (std::size_t k = 0; k < order.size(); ++k) rank[static_cast<std::size_t>(order[k])] = static_cast<int>(k) + 1;
    for (std::size_t i = 0; i < parts_.labels.size(); ++i) {
      if (i % POINTS_PER_PULSE == 0) pulse_();
      const int part = parts_.labels[i];
      out[i] = part < 0 ? 0 : rank[static_cast<std::size_t>(whole_[static_cast<std::size_t>(part)])];
    }
    return static_cast<int>(order.size());
  }

 private:
  // Joins parts; returns their new numbers.
  std::vector<int> join(Sets& sets) {
    std::vector<int> map;
    std::vector<int> sizes(static_cast<std::size_t>(sets.number(map, pulse_)), 0);
    for (std::size_t i = 0; i < map.size(); ++i) sizes[static_cast<std::size_t>(map[i])] += sizes_[i];
    sizes_ = std::move(sizes);
    for (int& part : whole_) part = map[static_cast<std::size_t>(part)];
    std::size_t left = 0;
    for (Border border : borders_) {
      border.first = map[static_cast<std::size_t>(border.first)];
      border.second = map[static_cast<std::size_t>(border.second)];
      if (border.first != border.second) borders_[left++] = border;
    }
    borders_.resize(left);
    shores_ = gather_shores(borders_, count(), pulse_);
    return map;
  }

  int count() const { return static_cast<int>(sizes_.size()); }
  int size(int part) const { return sizes_[static_cast<std::size_t>(part)]; }

  // Joins parts that are too small to be islands with the neighbour they touch most.
  void absorb_small() {
    for (int before = -1; before != count();) {
      before = count();
      Partners partners(before, pulse_, -std::numeric_limits<float>::infinity());
      for (const Shore& shore : shores_) {
        const float touch = static_cast<float>(shore.touch);
        if (size(shore.first) < rules_.size) partners.propose(shore.first, shore.second, touch);
        if (size(shore.second) < rules_.size) partners.propose(shore.second, shore.first, touch);
      }
      Sets sets = partners.join(pulse_);
      join(sets);
    }
  }

  // Joins the smallest part that is held in place with the neighbour that holds it most; false if there is none.
  bool join_held() {
    const int held = find_held();
    if (held < 0) return false;
    const Shore* best = nullptr;
    for (const Shore& shore : shores_)
      if ((shore.first == held || shore.second == held) && (best == nullptr || shore.bond > best->bond)) best = &shore;
    Sets sets(count(), pulse_);
    sets.join(best->first, best->second);
    const std::vector<int> map = join(sets);
    std::vector<char> loose(sizes_.size(), false);
    for (std::size_t i = 0; i < map.size(); ++i) loose[static_cast<std::size_t>(map[i])] = loose_[i];
    loose[static_cast<std::size_t>(map[static_cast<std::size_t>(held)])] = false;
    loose_ = std::move(loose);
    return true;
  }

  // The smallest part that is held in place; -1 if all but the largest part of each region are loose.
  int find_held() {
    Sets regions(count(), pulse_);
    for (const Shore& shore : shores_) regions.join(shore.first, shore.second);
    std::vector<int> order(sizes_.size()), largest(sizes_.size(), -1);
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return size(a) < size(b); });
    for (const int part : order) largest[static_cast<std::size_t>(regions.find(part))] = part;
    for (const int part : order) {
      if (largest[static_cast<std::size_t>(regions.find(part))] == part || loose_[static_cast<std::size_t>(part)])
        continue;
      if (!is_loose(part)) return part;
      loose_[static_cast<std::size_t>(part)] = true;
    }
    return -1;
  }

  // Whether the part could lie elsewhere at little cost.
  bool is_loose(int part) const {
    std::vector<const Border*> around;
    std::vector<double> shifts;
    for (const Border& border : borders_) {
      if (border.first != part && border.second != part) continue;
      around.push_back(&border);
      const double gap = static_cast<double>(border.contact.gap);
      if (std::fabs(gap) > rules_.slip) shifts.push_back(border.first == part ? gap : -gap);
    }
    thin(shifts, 32);
    shifts.push_back(rules_.slip);
    shifts.push_back(-rules_.slip);
    const std::vector<double> rises = energy_rises(part, around, shifts);
    return *std::min_element(rises.begin(), rises.end()) <=
           std::min(rules_.bridge, rules_.doubt * static_cast<double>(around.size()));
  }

  IslandRules rules_;
  Parts parts_;
  Pulse& pulse_;
  std::vector<int> whole_;  // the part that each of the first parts belongs to now
  std::vector<int> sizes_;
  std::vector<Border> borders_;
  std::vector<Shore> shores_;
  std::vector<char> loose_;
};

}  // namespace crevasse
