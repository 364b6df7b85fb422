// Minimum cut between two nodes of a small graph (Dinic's algorithm with capacity scaling).
#pragma once

#include <algorithm>
#include <limits>
#include <vector>

namespace crevasse {

struct Edge {
  int first, second;
};

class MinCut {
 public:
  MinCut(int nodes, const std::vector<Edge>& edges)
      : nodes_(nodes), places_(2 * edges.size()), arcs_(2 * edges.size()) {
    begin_.assign(static_cast<std::size_t>(nodes) + 1, 0);
    queue_.resize(static_cast<std::size_t>(nodes) + 1);
    for (const Edge& edge : edges) {
      ++begin_[static_cast<std::size_t>(edge.first) + 1];
      ++begin_[static_cast<std::size_t>(edge.second) + 1];
    }
    for (std::size_t i = 1; i < begin_.size(); ++i) begin_[i] += begin_[i - 1];
    std::vector<int> next(begin_.begin(), begin_.end() - 1);
    for (std::size_t e = 0; e < edges.size(); ++e) {
      const int there = next[static_cast<std::size_t>(edges[e].first)]++;
      const int back = next[static_cast<std::size_t>(edges[e].second)]++;
      places_[2 * e] = there;
      places_[2 * e + 1] = back;
      arc(there) = {0, 0, edges[e].second, back};
      arc(back) = {0, 0, edges[e].first, there};
    }
  }

  // Capacities of an edge, from its first node to the second and back; to be set for all edges before each find().
  void set(int edge, double there, double back) {
    Arc& forth = arc(places_[2 * static_cast<std::size_t>(edge)]);
    Arc& reverse = arc(places_[2 * static_cast<std::size_t>(edge) + 1]);
    forth.capacity = reverse.against = there;
    reverse.capacity = forth.against = back;
  }

  // Separates source from sink; side: 1 for nodes on the side of the source. False: the cut costs more than `limit`,
  // which must be finite.
  bool find(int source, int sink, double limit, std::vector<char>& side) {
    double flow = 0;
    // Wide paths first: if a single one exceeds the limit, the search is over.
    for (least_ = std::max(limit, NOTHING);; narrow()) {
      while (measure(source, sink)) {
        place_.assign(begin_.begin(), begin_.end() - 1);
        while (const double pushed = push(source, sink)) {
          flow += pushed;
          if (flow > limit) return false;
        }
      }
      if (widest_ <= NOTHING) break;
    }
    reach(source, side);
    return true;
  }

 private:
  static constexpr double NOTHING = 1e-6;  // capacity that counts as 0
  static constexpr int UNREACHED = std::numeric_limits<int>::max();

  // Stored by the node they leave, so that a search reads memory in order.
  struct Arc {
    double capacity, against;  // residual capacities; against: that of the arc the other way
    int target, back;          // back: where the arc the other way is
  };

  Arc& arc(int i) { return arcs_[static_cast<std::size_t>(i)]; }
  int begin(int node) const { return begin_[static_cast<std::size_t>(node)]; }
  int end(int node) const { return begin_[static_cast<std::size_t>(node) + 1]; }
  int& distance(int node) { return distance_[static_cast<std::size_t>(node)]; }

  // Admits narrower arcs, at least one that leads to where the sink can be reached from.
  void narrow() {
    while (least_ >= widest_) least_ = std::max(least_ / 8, NOTHING);
  }

  // Distances to the sink, for all nodes nearer than the source; false if the source cannot reach it. Searches from the
  // sink, because then every arc that comes nearer is part of a shortest path.
  bool measure(int source, int sink) {
    distance_.assign(static_cast<std::size_t>(nodes_), UNREACHED);
    int* __restrict distances = distance_.data();
    int* __restrict queue = queue_.data();
    const double least = least_;
    double widest = 0;
    distances[sink] = 0;
    queue[0] = sink;
    for (int head = 0, tail = 1; head < tail && distances[source] == UNREACHED; ++head) {
      const int node = queue[head], next = distances[node] + 1;
      for (const Arc *one = arcs_.data() + begin(node), *last = arcs_.data() + end(node); one != last; ++one) {
        if (distances[one->target] != UNREACHED) continue;
        if (one->against <= least) {
          widest = std::max(widest, one->against);
          continue;
        }
        distances[one->target] = next;
        queue[tail++] = one->target;
      }
    }
    widest_ = widest;
    return distances[source] != UNREACHED;
  }

  // Marks the nodes that can be reached from the source.
  void reach(int source, std::vector<char>& reached) {
    reached.assign(static_cast<std::size_t>(nodes_), 0);
    reached[static_cast<std::size_t>(source)] = 1;
    int head = 0, tail = 0;
    queue_[static_cast<std::size_t>(tail++)] = source;
    while (head < tail) {
      const int node = queue_[static_cast<std::size_t>(head++)];
      for (int i = begin(node); i < end(node); ++i) {
        char& there = reached[static_cast<std::size_t>(arc(i).target)];
        if (there || arc(i).capacity <= NOTHING) continue;
        there = 1;
        queue_[static_cast<std::size_t>(tail++)] = arc(i).target;
      }
    }
  }

  // Sends as much as possible along one shortest path; 0 if there is none left.
  double push(int source, int sink) {
    path_.clear();
    int node = source;
    while (node != sink) {
      int& i = place_[static_cast<std::size_t>(node)];
      while (i < end(node) && !leads(node, arc(i))) ++i;
      if (i < end(node)) {
        path_.push_back(i);
        node = arc(i).target;
      } else {
        if (path_.empty()) return 0;
        node = arc(arc(path_.back()).back).target;
        path_.pop_back();
        ++place_[static_cast<std::size_t>(node)];
      }
    }
    double amount = std::numeric_limits<double>::infinity();
    for (const int i : path_) amount = std::min(amount, arc(i).capacity);
    for (const int i : path_) take(arc(i), amount);
    return amount;
  }

  void take(Arc& forth, double amount) {
    Arc& reverse = arc(forth.back);
    forth.capacity = reverse.against = forth.capacity - amount;
    reverse.capacity = forth.against = reverse.capacity + amount;
  }

  bool leads(int node, const Arc& one) { return one.capacity > least_ && distance(one.target) == distance(node) - 1; }

  int nodes_;
  double least_ = 0;   // arcs of no more capacity are not used
  double widest_ = 0;  // largest capacity of an arc that the last search did not use
  std::vector<int> begin_, places_, distance_, queue_, place_, path_;
  std::vector<Arc> arcs_;
};

}  // namespace crevasse
