// Contacts between the parts of a surface.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "min_cut.hpp"
#include "parts.hpp"

namespace crevasse {

// Sorts the values and leaves at most `limit` of them, at evenly spaced ranks.
inline void thin(std::vector<double>& values, std::size_t limit) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  const std::size_t size = values.size();
  if (size <= limit) return;
  for (std::size_t k = 0; k < limit; ++k) values[k] = values[k * (size - 1) / (limit - 1)];
  values.resize(limit);
}

// Contacts that the caller gives: of pixels that are far from each other, or of pixels with the ground, a part of its
// own that stands for known heights. Both corners of such a contact have the same jump.
struct GivenContacts {
  const std::int64_t* first = nullptr;   // pixels, row-major
  const std::int64_t* second = nullptr;  // pixels; < 0: the ground
  const float* gap = nullptr;
  const float* tolerance = nullptr;
  const float* evidence = nullptr;
  std::size_t count = 0;
};

// A contact of a part with another one: sign is 1 where the part is the first one of the contact, else -1.
struct SignedContacts {
  std::vector<int> contacts, signs;
};

// All contacts between two parts, seen from the part with the lower number, sorted by both parts. One array per value,
// so that loops over them can be vectorised.
class PartBorders {
 public:
  template <class Meeting>
  PartBorders(const Parts& parts, Meeting contact, const GivenContacts& given, Pulse& pulse)
      : parts_(parts.count + (given.count > 0 ? 1 : 0)), has_ground_(given.count > 0) {
    std::vector<Edge> ends;
    std::vector<Contact> contacts;
    const auto meet = [&](int a, int b, const Contact& c) {
      ends.push_back({std::min(a, b), std::max(a, b)});
      contacts.push_back(a < b ? c : c.mirrored());
    };
    parts.each_border(contact, meet, pulse);
    for (std::size_t i = 0; i < given.count; ++i) {
      if (i % POINTS_PER_PULSE == 0) pulse();
      const int a = parts.labels[static_cast<std::size_t>(given.first[i])];
      const int b = given.second[i] < 0 ? parts.count : parts.labels[static_cast<std::size_t>(given.second[i])];
      const float evidence = given.evidence[i];
      if (a != b && a >= 0 && b >= 0) meet(a, b, {given.gap[i], 0.0f, given.tolerance[i], evidence, evidence});
    }
    std::vector<int> order;
    count_up(order, static_cast<int>(ends.size()), pulse);
    const auto end = [&](int i) { return ends[static_cast<std::size_t>(i)]; };
    sort_by(order, parts_, [&](int i) { return end(i).second; });
    sort_by(order, parts_, [&](int i) { return end(i).first; });
    for (std::vector<float>* values : {&gap_, &twist_, &tolerance_, &ahead_, &behind_}) values->reserve(order.size());
    for (const int i : order) {
      const Edge one = end(i);
      if (edges_.empty() || edges_.back().first != one.first || edges_.back().second != one.second) {
        edges_.push_back(one);
        begin_.push_back(static_cast<int>(gap_.size()));
      }
      add(contacts[static_cast<std::size_t>(i)]);
    }
    begin_.push_back(static_cast<int>(gap_.size()));
    cost_.resize(gap_.size());
  }

  // With the ground, which is the last one.
  int parts() const { return parts_; }
  bool has_ground() const { return has_ground_; }
  const std::vector<Edge>& edges() const { return edges_; }
  int edge_count() const { return static_cast<int>(edges_.size()); }
  // The contacts of an edge.
  int first(int edge) const { return begin_[static_cast<std::size_t>(edge)]; }
  int last(int edge) const { return begin_[static_cast<std::size_t>(edge) + 1]; }
  std::size_t size() const { return gap_.size(); }

  float cost(std::size_t i) const { return cost_[i]; }
  void update_costs() {
    for (std::size_t i = 0; i < size(); ++i) cost_[i] = moved(i, 0);
  }

  // How much the cost of each contact rises if its first part moves by `shift`, and if it moves back by as much.
  void measure(double shift, std::vector<float>& there, std::vector<float>& back) const {
    const int count = static_cast<int>(size());
    Out<float> forth = there.data(), other = back.data();
    CREVASSE_LANES
    for (int i = 0; i < count; ++i) {
      const std::size_t at = static_cast<std::size_t>(i);
      forth[i] = moved(at, shift) - cost_[at];
      other[i] = moved(at, -shift) - cost_[at];
    }
  }

  // Gaps of those of the given contacts that are open: sorted, at most `limit`.
  std::vector<double> open_gaps(const SignedContacts& given, double distance, std::size_t limit) const {
    std::vector<double> gaps;
    for (std::size_t k = 0; k < given.contacts.size(); ++k) {
      const std::size_t i = static_cast<std::size_t>(given.contacts[k]);
      const float gap = gap_[i];
      if (cost_[i] > 0.3f * at(i).most(gap) && std::fabs(gap) > distance)
        gaps.push_back(static_cast<double>(gap) * given.signs[k]);
    }
    thin(gaps, limit);
    return gaps;
  }

  // The energy that each of the shifts saves at the given contacts.
  std::vector<double> saved(const SignedContacts& given, const std::vector<double>& shifts) const {
    std::vector<double> gains(shifts.size(), 0.0);
    In<double> shift = shifts.data();
    Out<double> gain = gains.data();
    const int count = static_cast<int>(shifts.size());
    for (std::size_t k = 0; k < given.contacts.size(); ++k) {
      const std::size_t i = static_cast<std::size_t>(given.contacts[k]);
      const Contact contact = at(i);
      const float cost = cost_[i];
      const double gap = static_cast<double>(contact.gap), sign = given.signs[k];
      CREVASSE_LANES
      for (int w = 0; w < count; ++w)
        gain[w] += static_cast<double>(cost - contact.cost(static_cast<float>(gap - sign * shift[w])));
    }
    return gains;
  }

  // Contacts between the parts of a set (side 1) and the others.
  SignedContacts border_of(const std::vector<char>& side) const {
    SignedContacts found;
    each_crossing(side, [&](int i, int sign) {
      found.contacts.push_back(i);
      found.signs.push_back(sign);
    });
    return found;
  }

  // Moves the parts of a set.
  void move(const std::vector<char>& side, double shift) {
    each_crossing(side, [&](int i, int sign) {
      const std::size_t at = static_cast<std::size_t>(i);
      gap_[at] = static_cast<float>(static_cast<double>(gap_[at]) - sign * shift);
      cost_[at] = moved(at, 0);
    });
  }

 private:
  void add(const Contact& c) {
    gap_.push_back(c.gap);
    twist_.push_back(c.twist);
    tolerance_.push_back(c.tolerance);
    ahead_.push_back(c.ahead);
    behind_.push_back(c.behind);
  }
  Contact at(std::size_t i) const { return {gap_[i], twist_[i], tolerance_[i], ahead_[i], behind_[i]}; }
  // The cost of contact i after its first part has moved.
  float moved(std::size_t i, double shift) const {
    const Contact c = at(i);
    return c.cost(static_cast<float>(static_cast<double>(c.gap) - shift));
  }

  template <class Work>
  void each_crossing(const std::vector<char>& side, Work work) const {
    for (int e = 0; e < edge_count(); ++e) {
      const Edge& edge = edges_[static_cast<std::size_t>(e)];
      const int sign = side[static_cast<std::size_t>(edge.first)] - side[static_cast<std::size_t>(edge.second)];
      for (int i = first(e); sign != 0 && i < last(e); ++i) work(i, sign);
    }
  }

  int parts_;
  bool has_ground_;
  std::vector<Edge> edges_;  // pairs of parts that meet
  std::vector<int> begin_;   // first contact of each edge
  std::vector<float> gap_, twist_, tolerance_, ahead_, behind_;
  std::vector<float> cost_;  // as the parts lie now
};

}  // namespace crevasse
