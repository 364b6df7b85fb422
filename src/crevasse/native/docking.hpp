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
  Docking(const Parts& parts, Meeting contact, Team& team, Pulse& pulse) : parts_(parts.count), team_(team) {
    collect(parts, contact, pulse);
    for (int member = 0; member < team.size(); ++member) cuts_.push_back(std::make_unique<LeastCut>(parts.count, edges_));
  }

  // The ways of all parts, in pixels; true if any moved.
  bool move(const DockingRules& rules, std::vector<double>& ways, const std::function<bool()>& poll) {
    ways.assign(static_cast<std::size_t>(parts_), 0.0);
    int made = 0;
    for (int before = -1; made < rules.moves && made != before;) {
      if (poll()) throw Interrupted();
      before = made;
      for (Move& move : find(rules, poll)) {
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
  struct Crack {
    double gain, way;
    int edge;
  };
  struct Move {
    double gain = 0, way = 0;
    std::vector<char> side;
  };

  // Contacts between two parts, all seen from the part with the lower number; by value, so that loops over them are
  // quick.
  struct Borders {
    std::vector<float> gap, twist, tolerance, ahead, behind, cost;  // cost: as they are
    std::size_t size() const { return gap.size(); }
    void reserve(std::size_t size) {
      for (std::vector<float>* values : {&gap, &twist, &tolerance, &ahead, &behind}) values->reserve(size);
    }
    void add(const Contact& c) {
      gap.push_back(c.gap);
      twist.push_back(c.twist);
      tolerance.push_back(c.tolerance);
      ahead.push_back(c.ahead);
      behind.push_back(c.behind);
    }
    Contact at(std::size_t i) const { return {gap[i], twist[i], tolerance[i], ahead[i], behind[i]}; }
    // What contact i costs after the first part has gone `way`.
    float moved(std::size_t i, double way) const {
      const Contact c = at(i);
      return c.cost(static_cast<float>(static_cast<double>(c.gap) - way));
    }
  };

  template <class Meeting>
  void collect(const Parts& parts, Meeting contact, Pulse& pulse) {
    std::vector<Edge> ends;
    std::vector<Contact> contacts;
    parts.each_border(contact, [&](int a, int b, const Contact& c) {
      ends.push_back({std::min(a, b), std::max(a, b)});
      contacts.push_back(a < b ? c : c.mirrored());
    }, pulse);
    std::vector<int> order;
    count_up(order, static_cast<int>(ends.size()), pulse);
    const auto end = [&](int i) { return ends[static_cast<std::size_t>(i)]; };
    sort_by(order, parts.count, [&](int i) { return end(i).second; });
    sort_by(order, parts.count, [&](int i) { return end(i).first; });
    borders_.reserve(order.size());
    for (const int i : order) {
      const Edge one = end(i);
      if (edges_.empty() || edges_.back().first != one.first || edges_.back().second != one.second) {
        edges_.push_back(one);
        begin_.push_back(static_cast<int>(borders_.size()));
      }
      borders_.add(contacts[static_cast<std::size_t>(i)]);
    }
    begin_.push_back(static_cast<int>(borders_.size()));
  }

  // Moves that lower the energy enough, best first. Cracks are tried by all members of the team, in turn.
  std::vector<Move> find(const DockingRules& rules, const std::function<bool()>& poll) {
    borders_.cost.resize(borders_.size());
    for (std::size_t i = 0; i < borders_.size(); ++i) borders_.cost[i] = borders_.moved(i, 0);
    Pulse pulse(poll);
    const std::vector<Crack> tried = cracks(rules, pulse);
    std::vector<Move> moves(tried.size());
    team_.run([&](int member) {
      std::vector<float> there(borders_.size()), back(borders_.size());
      for (std::size_t k = static_cast<std::size_t>(member); k < tried.size(); k += static_cast<std::size_t>(team_.size())) {
        team_.tick(member);
        moves[k] = close(tried[k], rules, *cuts_[static_cast<std::size_t>(member)], there, back);
      }
    }, poll);
    moves.erase(std::remove_if(moves.begin(), moves.end(), [&](const Move& move) { return move.gain < rules.gain; }),
                moves.end());
    std::stable_sort(moves.begin(), moves.end(), [](const Move& a, const Move& b) { return a.gain > b.gain; });
    return moves;
  }

  // The cracks whose closing saves most, with their ways: how far the first part must go to meet the second.
  std::vector<Crack> cracks(const DockingRules& rules, Pulse& pulse) const {
    std::vector<Crack> out;
    std::vector<int> members;
    for (int e = 0; e < static_cast<int>(edges_.size()); ++e) {
      pulse();
      double total = 0;
      for (int i = first(e); i < last(e); ++i) total += borders_.cost[static_cast<std::size_t>(i)];
      if (total * 4 < rules.gain) continue;
      members.resize(static_cast<std::size_t>(last(e) - first(e)));
      std::iota(members.begin(), members.end(), first(e));
      const std::vector<double> ways = open_ways(members, std::vector<int>(members.size(), 1), rules.distance, 32);
      std::vector<double> gains = saved(members, std::vector<int>(members.size(), 1), ways);
      for (int k = 0; k < 2; ++k) {
        Crack crack{0, 0, e};
        for (std::size_t w = 0; w < ways.size(); ++w)
          if (gains[w] > crack.gain) crack = {gains[w], ways[w], e};
        if (crack.gain * 5 < rules.gain) break;
        out.push_back(crack);
        // The next one must differ.
        const double near = 0.1 + 0.1 * std::fabs(crack.way);
        for (std::size_t w = 0; w < ways.size(); ++w)
          if (std::fabs(ways[w] - crack.way) < near) gains[w] = 0;
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
      const std::size_t i = static_cast<std::size_t>(members[k]);
      const float gap = borders_.gap[i];
      if (borders_.cost[i] > 0.3f * borders_.at(i).most(gap) && std::fabs(gap) > distance)
        ways.push_back(static_cast<double>(gap) * signs[k]);
    }
    thin(ways, limit);
    return ways;
  }

  // What each of the ways saves at the given borders.
  std::vector<double> saved(const std::vector<int>& members, const std::vector<int>& signs,
                            const std::vector<double>& ways) const {
    std::vector<double> gains(ways.size(), 0.0);
    const double* __restrict way = ways.data();
    double* __restrict gain = gains.data();
    const int count = static_cast<int>(ways.size());
    for (std::size_t k = 0; k < members.size(); ++k) {
      const std::size_t i = static_cast<std::size_t>(members[k]);
      const Contact contact = borders_.at(i);
      const float cost = borders_.cost[i];
      const double gap = static_cast<double>(contact.gap), sign = signs[k];
      CREVASSE_LANES
      for (int w = 0; w < count; ++w)
        gain[w] += static_cast<double>(cost - contact.cost(static_cast<float>(gap - sign * way[w])));
    }
    return gains;
  }

  // Moves what must follow the crack's first part when it meets the second.
  Move close(const Crack& crack, const DockingRules& rules, LeastCut& cut, std::vector<float>& there,
             std::vector<float>& back) const {
    const int count = static_cast<int>(borders_.size());
    const Borders& borders = borders_;
    float* __restrict forth = there.data();
    float* __restrict other = back.data();
    CREVASSE_LANES
    for (int i = 0; i < count; ++i) {
      const std::size_t at = static_cast<std::size_t>(i);
      forth[i] = borders.moved(at, crack.way) - borders.cost[at];
      other[i] = borders.moved(at, -crack.way) - borders.cost[at];
    }
    double hope = 0;
    for (int e = 0; e < static_cast<int>(edges_.size()); ++e) {
      double ahead = 0, behind = 0;
      for (int i = first(e); i < last(e); ++i) {
        ahead += static_cast<double>(there[static_cast<std::size_t>(i)]);
        behind += static_cast<double>(back[static_cast<std::size_t>(i)]);
      }
      hope += std::max(0.0, -std::min(ahead, behind));
      const bool seed = e == crack.edge;
      cut.set(e, seed ? 0.0 : std::max(0.0, ahead), std::max(0.0, behind));
    }
    Move move;
    const Edge& edge = edges_[static_cast<std::size_t>(crack.edge)];
    if (hope < rules.gain || !cut.find(edge.first, edge.second, hope - rules.gain, move.side)) return Move();
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
        signs.push_back(side);
      }
    }
    std::vector<double> ways = open_ways(members, signs, distance, 64);
    ways.insert(ways.begin(), move.way);
    const std::vector<double> gains = saved(members, signs, ways);
    move.gain = 0;
    for (std::size_t w = 0; w < ways.size(); ++w)
      if (gains[w] > move.gain) move.gain = gains[w], move.way = ways[w];
  }

  void apply(const Move& move, std::vector<double>& ways) {
    for (int i = 0; i < parts_; ++i)
      if (move.side[static_cast<std::size_t>(i)]) ways[static_cast<std::size_t>(i)] += move.way;
    for (int e = 0; e < static_cast<int>(edges_.size()); ++e) {
      const Edge& edge = edges_[static_cast<std::size_t>(e)];
      const int side = move.side[static_cast<std::size_t>(edge.first)] - move.side[static_cast<std::size_t>(edge.second)];
      for (int i = first(e); side != 0 && i < last(e); ++i) {
        const std::size_t at = static_cast<std::size_t>(i);
        borders_.gap[at] = static_cast<float>(static_cast<double>(borders_.gap[at]) - side * move.way);
        borders_.cost[at] = borders_.moved(at, 0);
      }
    }
  }

  int first(int edge) const { return begin_[static_cast<std::size_t>(edge)]; }
  int last(int edge) const { return begin_[static_cast<std::size_t>(edge) + 1]; }

  int parts_;
  std::vector<Edge> edges_;
  std::vector<int> begin_;  // first border of each edge
  Borders borders_;
  std::vector<std::unique_ptr<LeastCut>> cuts_;  // one for each member
  Team& team_;
};

}  // namespace crevasse
