// The least cut between two nodes of a small graph (Dinic's algorithm, wide ways first).
#pragma once

#include <algorithm>
#include <limits>
#include <vector>

namespace crevasse {

struct Edge {
  int first, second;
};

class LeastCut {
 public:
  LeastCut(int nodes, const std::vector<Edge>& edges) : nodes_(nodes), edges_(edges) {
    begin_.assign(static_cast<std::size_t>(nodes) + 1, 0);
    for (const Edge& edge : edges) {
      ++begin_[static_cast<std::size_t>(edge.first) + 1];
      ++begin_[static_cast<std::size_t>(edge.second) + 1];
    }
    for (std::size_t i = 1; i < begin_.size(); ++i) begin_[i] += begin_[i - 1];
    arcs_.resize(2 * edges.size());
    std::vector<int> next(begin_.begin(), begin_.end() - 1);
    for (int e = 0; e < static_cast<int>(edges.size()); ++e) {
      const Edge& edge = edges[static_cast<std::size_t>(e)];
      arcs_[static_cast<std::size_t>(next[static_cast<std::size_t>(edge.first)]++)] = 2 * e;
      arcs_[static_cast<std::size_t>(next[static_cast<std::size_t>(edge.second)]++)] = 2 * e + 1;
    }
  }

  // Room of arc 2 e, from the first node of edge e to the second, and 2 e + 1, back; set before each find().
  std::vector<double> room;

  // Separates source from sink; `side` tells who stays with the source. False: the cut costs more than the limit.
  bool find(int source, int sink, double limit, std::vector<char>& side) {
    double flow = 0;
    // Wide ways first: where one alone exceeds the limit, nothing else has to be looked at.
    for (least_ = std::max(limit, NOTHING);; least_ = std::max(least_ / 8, NOTHING)) {
      while (reach(source, sink)) {
        place_.assign(begin_.begin(), begin_.end() - 1);
        while (const double pushed = push(source, sink)) {
          flow += pushed;
          if (flow > limit) return false;
        }
      }
      if (least_ <= NOTHING) break;
    }
    side.assign(static_cast<std::size_t>(nodes_), 0);
    for (int i = 0; i < nodes_; ++i) side[static_cast<std::size_t>(i)] = level_[static_cast<std::size_t>(i)] >= 0;
    return true;
  }

 private:
  static constexpr double NOTHING = 1e-6;

  int target(int arc) const {
    const Edge& edge = edges_[static_cast<std::size_t>(arc / 2)];
    return arc % 2 == 0 ? edge.second : edge.first;
  }

  bool reach(int source, int sink) {
    level_.assign(static_cast<std::size_t>(nodes_), -1);
    queue_.assign(1, source);
    level_[static_cast<std::size_t>(source)] = 0;
    for (std::size_t head = 0; head < queue_.size(); ++head) {
      const int node = queue_[head];
      for (int i = begin_[static_cast<std::size_t>(node)]; i < begin_[static_cast<std::size_t>(node) + 1]; ++i) {
        const int arc = arcs_[static_cast<std::size_t>(i)], to = target(arc);
        if (room[static_cast<std::size_t>(arc)] <= least_ || level_[static_cast<std::size_t>(to)] >= 0) continue;
        level_[static_cast<std::size_t>(to)] = level_[static_cast<std::size_t>(node)] + 1;
        if (to == sink) return true;
        queue_.push_back(to);
      }
    }
    return false;
  }

  // Sends as much as possible along one way of rising levels; 0 if there is none left.
  double push(int source, int sink) {
    path_.clear();
    int node = source;
    while (node != sink) {
      int& i = place_[static_cast<std::size_t>(node)];
      const int end = begin_[static_cast<std::size_t>(node) + 1];
      while (i < end && !leads(node, arcs_[static_cast<std::size_t>(i)])) ++i;
      if (i < end) {
        path_.push_back(arcs_[static_cast<std::size_t>(i)]);
        node = target(path_.back());
      } else {
        if (path_.empty()) return 0;
        node = target(path_.back() ^ 1);
        path_.pop_back();
        ++place_[static_cast<std::size_t>(node)];
      }
    }
    double amount = std::numeric_limits<double>::infinity();
    for (const int arc : path_) amount = std::min(amount, room[static_cast<std::size_t>(arc)]);
    for (const int arc : path_) {
      room[static_cast<std::size_t>(arc)] -= amount;
      room[static_cast<std::size_t>(arc ^ 1)] += amount;
    }
    return amount;
  }

  bool leads(int node, int arc) const {
    return room[static_cast<std::size_t>(arc)] > least_ &&
           level_[static_cast<std::size_t>(target(arc))] == level_[static_cast<std::size_t>(node)] + 1;
  }

  int nodes_;
  double least_ = 0;  // room that an arc must have to be used
  const std::vector<Edge>& edges_;
  std::vector<int> begin_, arcs_, level_, queue_, place_, path_;
};

}  // namespace crevasse
