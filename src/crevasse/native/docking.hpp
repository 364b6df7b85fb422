// Rigid moves of parts ("docking"): an open crack is closed by moving what the least cut around it frees.
//
// A part that hangs on a few false contacts is a local minimum that no reweighting leaves. For each crack between
// two parts and each common size of its jump, the cheapest set of parts that can follow the one side and leave the
// other is a least cut, where cutting costs what opening the contacts adds to the energy. The move that lowers the
// energy most is made, until none lowers it enough.
#pragma once

#include <cmath>
#include <functional>
#include <memory>

#include "cut.hpp"
#include "parts.hpp"
#include "team.hpp"

namespace crevasse {

struct DockingRules {
  double gain;      // least fall of the energy, in contacts
  double distance;  // least way in pixels
  int candidates;   // how many cracks to try
  int moves;        // at most so many
};

class Docking {
 public:
  // What it costs to part two pixels: parts never grow over an open crack and rarely over a crease.
  static float strength(const Contact& contact) {
    return larger(0.0f, contact.least() - contact.cost(contact.gap));
  }

  template <class Meeting>
  Docking(const Parts& parts, Meeting contact) : parts_(parts.count) {
    collect(parts, contact);
    cut_ = std::make_unique<LeastCut>(parts.count, edges_);
  }

  // The ways of all parts, in pixels; true if any moved.
  bool move(const DockingRules& rules, std::vector<double>& ways, const std::function<bool()>& poll) {
    ways.assign(static_cast<std::size_t>(parts_), 0.0);
    int made = 0;
    for (int before = -1; made < rules.moves && made != before;) {
      if (poll()) throw Interrupted();
      before = made;
      for (Move& move : find(rules)) {
        if (made == rules.moves) break;
        // Moves made since it was found may have made it better or worse.
        settle(move, rules.distance);
        if (move.gain < rules.gain) continue;
        apply(move, ways);
        ++made;
      }
    }
    return made > 0;
  }

 private:
  // A contact between two parts; its gap counts from the part with the lower number to the other.
  struct Border {
    Contact contact;
    int sign;  // 1 if the first pixel is in the first part of the edge
    float gap() const { return contact.gap; }
    float cost(double way) const { return contact.cost(static_cast<float>(contact.gap - sign * way)); }
  };
  struct Crack {
    double gain, way;
    int edge;
  };
  struct Move {
    double gain = 0, way = 0;
    std::vector<char> side;
  };

  template <class Meeting>
  void collect(const Parts& parts, Meeting contact) {
    struct Found {
      int first, second;
      Border border;
    };
    std::vector<Found> found;
    parts.each_border(contact, [&](int a, int b, const Contact& c) {
      found.push_back({std::min(a, b), std::max(a, b), {c, a < b ? 1 : -1}});
    });
    std::stable_sort(found.begin(), found.end(), [](const Found& a, const Found& b) {
      return a.first != b.first ? a.first < b.first : a.second < b.second;
    });
    for (const Found& one : found) {
      if (edges_.empty() || edges_.back().first != one.first || edges_.back().second != one.second) {
        edges_.push_back({one.first, one.second});
        begin_.push_back(static_cast<int>(borders_.size()));
      }
      borders_.push_back(one.border);
    }
    begin_.push_back(static_cast<int>(borders_.size()));
  }

  // Moves that lower the energy enough, best first.
  std::vector<Move> find(const DockingRules& rules) {
    costs_.resize(borders_.size());
    for (std::size_t i = 0; i < borders_.size(); ++i) costs_[i] = borders_[i].cost(0);
    std::vector<Move> moves;
    for (const Crack& crack : cracks(rules)) {
      Move move = close(crack, rules);
      if (move.gain >= rules.gain) moves.push_back(std::move(move));
    }
    std::stable_sort(moves.begin(), moves.end(), [](const Move& a, const Move& b) { return a.gain > b.gain; });
    return moves;
  }

  // The cracks whose closing saves most, with their ways: how far the first part must go to meet the second.
  std::vector<Crack> cracks(const DockingRules& rules) const {
    std::vector<Crack> out;
    std::vector<int> members;
    for (int e = 0; e < static_cast<int>(edges_.size()); ++e) {
      double total = 0;
      for (int i = first(e); i < last(e); ++i) total += costs_[static_cast<std::size_t>(i)];
      if (total * 4 < rules.gain) continue;
      members.resize(static_cast<std::size_t>(last(e) - first(e)));
      std::iota(members.begin(), members.end(), first(e));
      std::vector<double> ways = open_ways(members, std::vector<int>(), rules.distance, 32);
      for (int k = 0; k < 2 && !ways.empty(); ++k) {
        Crack crack{0, 0, e};
        for (const double way : ways) {
          double gain = 0;
          for (const int i : members) gain += costs_[static_cast<std::size_t>(i)] - borders_[static_cast<std::size_t>(i)].cost(way);
          if (gain > crack.gain) crack = {gain, way, e};
        }
        if (crack.gain * 5 < rules.gain) break;
        out.push_back(crack);
        const double near = 0.1 + 0.1 * std::fabs(crack.way);
        ways.erase(std::remove_if(ways.begin(), ways.end(),
                                  [&](double way) { return std::fabs(way - crack.way) < near; }), ways.end());
      }
    }
    std::stable_sort(out.begin(), out.end(), [](const Crack& a, const Crack& b) { return a.gain > b.gain; });
    if (static_cast<int>(out.size()) > rules.candidates) out.resize(static_cast<std::size_t>(rules.candidates));
    return out;
  }

  // Sizes of the jumps at those of the given borders that are open: sorted, at most `limit`.
  std::vector<double> open_ways(const std::vector<int>& members, const std::vector<int>& signs, double distance,
                                std::size_t limit) const {
    std::vector<double> ways;
    for (std::size_t k = 0; k < members.size(); ++k) {
      const Border& border = borders_[static_cast<std::size_t>(members[k])];
      const bool open = costs_[static_cast<std::size_t>(members[k])] > 0.3f * border.contact.most(border.gap());
      if (open && std::fabs(border.gap()) > distance)
        ways.push_back(static_cast<double>(border.gap()) * (signs.empty() ? border.sign : signs[k]));
    }
    thin(ways, limit);
    return ways;
  }

  // Moves what must follow the crack's first part when it meets the second.
  Move close(const Crack& crack, const DockingRules& rules) {
    double hope = 0;
    cut_->room.resize(2 * edges_.size());
    for (int e = 0; e < static_cast<int>(edges_.size()); ++e) {
      double there = 0, back = 0;
      for (int i = first(e); i < last(e); ++i) {
        const Border& border = borders_[static_cast<std::size_t>(i)];
        const double now = costs_[static_cast<std::size_t>(i)];
        there += border.cost(crack.way) - now;
        back += border.cost(-crack.way) - now;
      }
      hope += std::max(0.0, -std::min(there, back));
      const bool seed = e == crack.edge;
      cut_->room[static_cast<std::size_t>(2 * e)] = seed ? 0.0 : std::max(0.0, there);
      cut_->room[static_cast<std::size_t>(2 * e + 1)] = std::max(0.0, back);
    }
    Move move;
    const Edge& edge = edges_[static_cast<std::size_t>(crack.edge)];
    if (hope < rules.gain || !cut_->find(edge.first, edge.second, hope - rules.gain, move.side)) return Move();
    move.way = crack.way;
    settle(move, rules.distance);
    return move;
  }

  // The best way for a set of parts, near or far from the one it was found with.
  void settle(Move& move, double distance) const {
    std::vector<int> members, signs;
    for (int e = 0; e < static_cast<int>(edges_.size()); ++e) {
      const Edge& edge = edges_[static_cast<std::size_t>(e)];
      const int side = move.side[static_cast<std::size_t>(edge.first)] - move.side[static_cast<std::size_t>(edge.second)];
      for (int i = first(e); side != 0 && i < last(e); ++i) {
        members.push_back(i);
        signs.push_back(side * borders_[static_cast<std::size_t>(i)].sign);
      }
    }
    std::vector<double> ways = open_ways(members, signs, distance, 64);
    ways.insert(ways.begin(), move.way);
    move.gain = 0;
    for (const double one : ways) {
      double gain = 0;
      for (std::size_t k = 0; k < members.size(); ++k) {
        const Border& border = borders_[static_cast<std::size_t>(members[k])];
        gain += costs_[static_cast<std::size_t>(members[k])] - border.contact.cost(static_cast<float>(border.gap() - signs[k] * one));
      }
      if (gain > move.gain) move.gain = gain, move.way = one;
    }
  }

  void apply(const Move& move, std::vector<double>& ways) {
    for (int i = 0; i < parts_; ++i)
      if (move.side[static_cast<std::size_t>(i)]) ways[static_cast<std::size_t>(i)] += move.way;
    for (int e = 0; e < static_cast<int>(edges_.size()); ++e) {
      const Edge& edge = edges_[static_cast<std::size_t>(e)];
      const int side = move.side[static_cast<std::size_t>(edge.first)] - move.side[static_cast<std::size_t>(edge.second)];
      for (int i = first(e); side != 0 && i < last(e); ++i) {
        Border& border = borders_[static_cast<std::size_t>(i)];
        border.contact.gap = static_cast<float>(border.contact.gap - side * border.sign * move.way);
        costs_[static_cast<std::size_t>(i)] = border.cost(0);
      }
    }
  }

  int first(int edge) const { return begin_[static_cast<std::size_t>(edge)]; }
  int last(int edge) const { return begin_[static_cast<std::size_t>(edge) + 1]; }

  int parts_;
  std::vector<Edge> edges_;
  std::vector<int> begin_;  // first border of each edge
  std::vector<Border> borders_;
  std::vector<float> costs_;  // of the borders as they are
  std::unique_ptr<LeastCut> cut_;
};

}  // namespace crevasse
