// Bindings of functions of graphs: connected components and minimum cuts.
#include "../graduated/min_cut.hpp"
#include "../labels.hpp"
#include "common.hpp"

namespace crevasse {

namespace {

int label_components(Image<const unsigned char> mask, std::optional<Image<const unsigned char>> right,
                     std::optional<Image<const unsigned char>> down, Image<int> out) {
  const std::size_t rows = mask.shape(0), columns = mask.shape(1);
  require(rows * columns < (1u << 31), "mask is too large");
  require(has_shape(out, rows, columns), "labels must have the shape of the mask");
  require(has_shape(right, rows, columns - 1) && has_shape(down, rows - 1, columns),
          "cuts must be (H, W-1) and (H-1, W)");
  const bool both = right && down;
  const Cuts cuts{both ? right->data() : nullptr, both ? down->data() : nullptr};
  return guarded([&] {
    const Poll poll = interrupted;
    Pulse pulse(poll);
    return label(static_cast<std::ptrdiff_t>(rows), static_cast<std::ptrdiff_t>(columns), mask.data(), cuts, out.data(),
                 pulse);
  });
}

bool find_min_cut(int nodes, Image<const int> edges, Vector<const double> forward, Vector<const double> backward,
                  int source, int sink, double limit, Vector<unsigned char> side) {
  const std::size_t count = edges.shape(0);
  const auto is_node = [&](int i) { return i >= 0 && i < nodes; };
  require(edges.shape(1) == 2 && forward.shape(0) == count && backward.shape(0) == count,
          "edges must be (E, 2), capacities (E,)");
  require(is_node(source) && is_node(sink) && source != sink, "source and sink must be two nodes");
  require(nodes > 0 && side.shape(0) == static_cast<std::size_t>(nodes), "side must have an entry per node");
  std::vector<Edge> list;
  double most = 0;
  for (std::size_t e = 0; e < count; ++e) {
    require(is_node(edges(e, 0)) && is_node(edges(e, 1)), "edges must join nodes");
    require(forward(e) >= 0 && backward(e) >= 0 && forward(e) + backward(e) < std::numeric_limits<double>::infinity(),
            "capacities must be finite and not negative");
    list.push_back({edges(e, 0), edges(e, 1)});
    most += forward(e) + backward(e);
  }
  return guarded([&] {
    MinCut cut(nodes, list);
    for (std::size_t e = 0; e < count; ++e) cut.set(static_cast<int>(e), forward(e), backward(e));
    std::vector<char> found;
    // No cut costs more than all edges.
    if (!cut.find(source, sink, std::min(limit, most), found)) return false;
    std::copy(found.begin(), found.end(), side.data());
    return true;
  });
}

}  // namespace

void bind_graphs(nb::module_& m) {
  m.def("label", &label_components, "mask"_a, "right"_a.none(), "down"_a.none(), "out"_a.noconvert());
  m.def("min_cut", &find_min_cut, "nodes"_a, "edges"_a, "forward"_a, "backward"_a, "source"_a, "sink"_a, "limit"_a,
        "side"_a.noconvert());
}

}  // namespace crevasse
