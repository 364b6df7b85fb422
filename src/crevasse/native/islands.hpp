// Islands: parts whose place the energy does not determine.
//
// Where a part's border is cut or only rests on doubtful contacts (grazing pixels, whose depth is uncertain), the
// part may as well lie elsewhere: a pixel nearer or farther, or where other contacts of its border close. Pixels are
// merged while slipping against each other costs more than a share of a contact; of the parts that are left, those
// that may lie elsewhere at little cost are islands.
#pragma once

#include <cmath>
#include <limits>

#include "parts.hpp"

namespace crevasse {

struct IslandRules {
  double slip;    // pixels
  double doubt;   // energy per contact below which a border does not hold
  double bridge;  // energy below which a bridge does not hold, however short the border
  int size;       // pixels of the smallest island
};

class Islands {
 public:
  // What a contact has against slipping, beyond doubt.
  static float holds(const Contact& c, const IslandRules& rules) {
    const float way = static_cast<float>(rules.slip), there = slip(c, way), back = slip(c, -way);
    return (there < back ? there : back) - static_cast<float>(rules.doubt);
  }

  // Parts whose pixels hold each other.
  template <class Meeting>
  Islands(Parts&& parts, Meeting contact, const IslandRules& rules, Pulse& pulse)
      : rules_(rules), parts_(std::move(parts)), pulse_(pulse) {
    sizes_.assign(static_cast<std::size_t>(parts_.count), 0);
    for (std::size_t i = 0; i < parts_.labels.size(); ++i) {
      if (i % MANY == 0) pulse();
      if (parts_.labels[i] >= 0) ++sizes_[static_cast<std::size_t>(parts_.labels[i])];
    }
    parts_.each_border(contact, [&](int a, int b, const Contact& c) {
      borders_.push_back({a, b, holds(c, rules), touches(c), c});
    }, pulse);
    count_up(whole_, parts_.count, pulse);
    gather();
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
      if (i % MANY == 0) pulse_();
      const int part = parts_.labels[i];
      out[i] = part < 0 ? 0 : rank[static_cast<std::size_t>(whole_[static_cast<std::size_t>(part)])];
    }
    return static_cast<int>(order.size());
  }

 private:
  struct Border {
    int first, second;
    float bond, touch;  // as of a shore
    Contact contact;
  };
  // All borders of two parts.
  struct Shore {
    int first, second;
    double bond;   // what holds them together
    double touch;  // how much of them is in contact, certain or not
  };

  static float slip(const Contact& c, float way) { return c.cost(c.gap + way) - c.cost(c.gap); }

  static float touches(const Contact& c) { return std::max(0.0f, 1.0f - c.cost(c.gap) / c.most(c.gap)); }

  // One shore for each two parts.
  void gather() {
    std::vector<int> order;
    count_up(order, static_cast<int>(borders_.size()), pulse_);
    const auto border = [&](int i) -> const Border& { return borders_[static_cast<std::size_t>(i)]; };
    sort_by(order, count(), [&](int i) { return std::max(border(i).first, border(i).second); });
    sort_by(order, count(), [&](int i) { return std::min(border(i).first, border(i).second); });
    shores_.clear();
    for (const int i : order) {
      const int first = std::min(border(i).first, border(i).second), second = std::max(border(i).first, border(i).second);
      if (shores_.empty() || shores_.back().first != first || shores_.back().second != second)
        shores_.push_back({first, second, 0, 0});
      shores_.back().bond += static_cast<double>(border(i).bond);
      shores_.back().touch += static_cast<double>(border(i).touch);
    }
  }

  // Joins parts; returns their new numbers.
  std::vector<int> join(Sets& sets) {
    std::vector<int> map;
    const int count = sets.number(map, pulse_);
    std::vector<int> sizes(static_cast<std::size_t>(count), 0);
    for (std::size_t i = 0; i < map.size(); ++i) sizes[static_cast<std::size_t>(map[i])] += sizes_[i];
    sizes_ = std::move(sizes);
    for (int& part : whole_) part = map[static_cast<std::size_t>(part)];
    std::size_t kept = 0;
    for (Border border : borders_) {
      border.first = map[static_cast<std::size_t>(border.first)];
      border.second = map[static_cast<std::size_t>(border.second)];
      if (border.first != border.second) borders_[kept++] = border;
    }
    borders_.resize(kept);
    gather();
    return map;
  }

  int count() const { return static_cast<int>(sizes_.size()); }
  int size(int part) const { return sizes_[static_cast<std::size_t>(part)]; }

  // Parts too small to be told apart go with the neighbour they touch most.
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

  // The smallest part that must lie where it lies goes with the neighbour that holds it most.
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

  // -1: all but the largest part of each region are loose.
  int find_held() {
    Sets regions(count(), pulse_);
    for (const Shore& shore : shores_) regions.join(shore.first, shore.second);
    std::vector<int> order(sizes_.size()), largest(sizes_.size(), -1);
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return size(a) < size(b); });
    for (const int part : order) largest[static_cast<std::size_t>(regions.find(part))] = part;
    for (const int part : order) {
      if (largest[static_cast<std::size_t>(regions.find(part))] == part || loose_[static_cast<std::size_t>(part)]) continue;
      if (!is_loose(part)) return part;
      loose_[static_cast<std::size_t>(part)] = true;
    }
    return -1;
  }

  // Whether the part could as well lie elsewhere.
  bool is_loose(int part) const {
    std::vector<const Border*> shore;
    std::vector<double> ways;
    for (const Border& border : borders_) {
      if (border.first != part && border.second != part) continue;
      shore.push_back(&border);
      const double gap = static_cast<double>(border.contact.gap);
      if (std::fabs(gap) > rules_.slip) ways.push_back(border.first == part ? gap : -gap);
    }
    thin(ways, 32);
    ways.push_back(rules_.slip);
    ways.push_back(-rules_.slip);
    const std::vector<double> rises = rise(part, shore, ways);
    return *std::min_element(rises.begin(), rises.end()) <=
           std::min(rules_.bridge, rules_.doubt * static_cast<double>(shore.size()));
  }

  // What it costs when the part goes each of the ways.
  static std::vector<double> rise(int part, const std::vector<const Border*>& shore, const std::vector<double>& ways) {
    std::vector<double> rises(ways.size(), 0.0);
    const double* __restrict way = ways.data();
    double* __restrict out = rises.data();
    const int count = static_cast<int>(ways.size());
    for (const Border* border : shore) {
      const Contact contact = border->contact;
      const float sign = border->first == part ? -1.0f : 1.0f, now = contact.cost(contact.gap);
      CREVASSE_LANES
      for (int w = 0; w < count; ++w)
        out[w] += static_cast<double>(contact.cost(contact.gap + sign * static_cast<float>(way[w])) - now);
    }
    return rises;
  }

  IslandRules rules_;
  Parts parts_;
  Pulse& pulse_;
  std::vector<int> whole_;  // where each of the first parts belongs
  std::vector<int> sizes_;
  std::vector<Border> borders_;
  std::vector<Shore> shores_;
  std::vector<char> loose_;
};

}  // namespace crevasse
