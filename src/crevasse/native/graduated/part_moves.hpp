// Part moves: whole parts of a surface are moved out of local minima that reweighting cannot leave.
//
// A part that a few false contacts hold in the wrong place would have to open all of them at once. For each crack
// between two parts and each common size of its jump, a minimum cut finds the cheapest set of parts that can follow the
// one side and leave the other, where cutting costs what opening the contacts adds to the energy. The move that lowers
// the energy most is made, until none lowers it enough.
#pragma once

#include <memory>

#include "../threads/team.hpp"
#include "part_borders.hpp"

namespace crevasse {

struct MoveRules {
  double gain;      // least fall of the energy, in contacts
  double distance;  // least shift in pixels
  int candidates;   // cracks to try per round
  int moves;        // most moves
};

class PartMoves {
 public:
  // Cost of separating two pixels: parts never grow over an open crack and rarely over a crease.
  static float strength(const Contact& contact) { return larger(0.0f, contact.least() - contact.cost(contact.gap)); }

  template <class Meeting>
  PartMoves(const Parts& parts, Meeting contact, const GivenContacts& given, Team& team, Pulse& pulse)
      : borders_(parts, contact, given, pulse), team_(team) {
    for (int member = 0; member < team.size(); ++member)
      cuts_.push_back(std::make_unique<MinCut>(borders_.parts(), borders_.edges()));
  }

  // Finds the shifts of all parts, in pixels; true if any part moves. With given contacts the last one is the ground:
  // if a move took it along, all others have moved the other way instead.
  bool move(const MoveRules& rules, std::vector<double>& shifts, const Poll& poll) {
    shifts.assign(static_cast<std::size_t>(borders_.parts()), 0.0);
    int made = 0;
    for (int before = -1; made < rules.moves && made != before;) {
      if (poll()) throw Interrupted();
      before = made;
      for (Move& move : find(rules, poll)) {
        if (made == rules.moves) break;
        // Moves made since it was found may have changed what it gains.
        optimise(move, rules.distance);
        if (move.gain < rules.gain) continue;
        apply(move, shifts);
        ++made;
      }
    }
    if (borders_.has_ground()) {
      const double ground = shifts.back();
      for (double& shift : shifts) shift -= ground;
    }
    return made > 0;
  }

 private:
  struct Crack {
    double gain, shift;
    int edge;
  };
  struct Move {
    double gain = 0, shift = 0;
    std::vector<char> side;  // 1 for the parts that move
  };

  // Moves that lower the energy enough, best first. The members of the team try the cracks in turn.
  std::vector<Move> find(const MoveRules& rules, const Poll& poll) {
    borders_.update_costs();
    Pulse pulse(poll);
    const std::vector<Crack> tried = find_cracks(rules, pulse);
    std::vector<Move> moves(tried.size());
    team_.run(poll, [&](int member) {
      std::vector<float> there(borders_.size()), back(borders_.size());
      for (std::size_t k = static_cast<std::size_t>(member); k < tried.size();
           k += static_cast<std::size_t>(team_.size())) {
        team_.tick(member);
        moves[k] = close(tried[k], rules, *cuts_[static_cast<std::size_t>(member)], there, back);
      }
    });
    moves.erase(std::remove_if(moves.begin(), moves.end(), [&](const Move& move) { return move.gain < rules.gain; }),
                moves.end());
    std::stable_sort(moves.begin(), moves.end(), [](const Move& a, const Move& b) { return a.gain > b.gain; });
    return moves;
  }

  // The cracks whose closing saves most, with the shifts by which their first part meets the second.
  std::vector<Crack> find_cracks(const MoveRules& rules, Pulse& pulse) const {
    std::vector<Crack> out;
    SignedContacts contacts;
    for (int e = 0; e < borders_.edge_count(); ++e) {
      pulse();
      double total = 0;
      for (int i = borders_.first(e); i < borders_.last(e); ++i) total += borders_.cost(static_cast<std::size_t>(i));
      if (total * 4 < rules.gain) continue;
      contacts.contacts.resize(static_cast<std::size_t>(borders_.last(e) - borders_.first(e)));
      std::iota(contacts.contacts.begin(), contacts.contacts.end(), borders_.first(e));
      contacts.signs.assign(contacts.contacts.size(), 1);
      const std::vector<double> shifts = borders_.open_gaps(contacts, rules.distance, 32);
      add_best(e, shifts, borders_.saved(contacts, shifts), rules, out);
    }
    std::stable_sort(out.begin(), out.end(), [](const Crack& a, const Crack& b) { return a.gain > b.gain; });
    if (static_cast<int>(out.size()) > rules.candidates) out.resize(static_cast<std::size_t>(rules.candidates));
    return out;
  }

  // Adds the best two shifts of an edge, if they gain enough and differ.
  static void add_best(int edge, const std::vector<double>& shifts, std::vector<double> gains, const MoveRules& rules,
                       std::vector<Crack>& out) {
    for (int k = 0; k < 2; ++k) {
      Crack crack{0, 0, edge};
      for (std::size_t w = 0; w < shifts.size(); ++w)
        if (gains[w] > crack.gain) crack = {gains[w], shifts[w], edge};
      if (crack.gain * 5 < rules.gain) break;
      out.push_back(crack);
      const double near = 0.1 + 0.1 * std::fabs(crack.shift);
      for (std::size_t w = 0; w < shifts.size(); ++w)
        if (std::fabs(shifts[w] - crack.shift) < near) gains[w] = 0;
    }
  }

  // The move of all parts that must follow the crack's first part when it meets the second.
  Move close(const Crack& crack, const MoveRules& rules, MinCut& cut, std::vector<float>& there,
             std::vector<float>& back) const {
    borders_.measure(crack.shift, there, back);
    double hope = 0;
    for (int e = 0; e < borders_.edge_count(); ++e) {
      double ahead = 0, behind = 0;
      for (int i = borders_.first(e); i < borders_.last(e); ++i) {
        ahead += static_cast<double>(there[static_cast<std::size_t>(i)]);
        behind += static_cast<double>(back[static_cast<std::size_t>(i)]);
      }
      hope += std::max(0.0, -std::min(ahead, behind));
      cut.set(e, e == crack.edge ? 0.0 : std::max(0.0, ahead), std::max(0.0, behind));
    }
    Move move;
    const Edge& edge = borders_.edges()[static_cast<std::size_t>(crack.edge)];
    if (hope < rules.gain || !cut.find(edge.first, edge.second, hope - rules.gain, move.side)) return Move();
    move.shift = crack.shift;
    optimise(move, rules.distance);
    return move;
  }

  // The best shift of a set of parts, whether or not it is close to the one that the set was found with.
  void optimise(Move& move, double distance) const {
    const SignedContacts border = borders_.border_of(move.side);
    std::vector<double> shifts = borders_.open_gaps(border, distance, 64);
    shifts.insert(shifts.begin(), move.shift);
    const std::vector<double> gains = borders_.saved(border, shifts);
    move.gain = 0;
    for (std::size_t w = 0; w < shifts.size(); ++w)
      if (gains[w] > move.gain) move.gain = gains[w], move.shift = shifts[w];
  }

  void apply(const Move& move, std::vector<double>& shifts) {
    for (std::size_t i = 0; i < shifts.size(); ++i)
      if (move.side[i]) shifts[i] += move.shift;
    borders_.move(move.side, move.shift);
  }

  PartBorders borders_;
  std::vector<std::unique_ptr<MinCut>> cuts_;  // one per member
  Team& team_;
};

}  // namespace crevasse
