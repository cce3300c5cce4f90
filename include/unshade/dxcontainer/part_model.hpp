// Parts as models, by the description of the model.
#pragma once

#include <cstdint>
#include <utility>

#include <unshade/core/archive/reader.hpp>
#include <unshade/dxcontainer/container.hpp>

namespace unshade::dxcontainer {

/// The model that a part holds. `context`: what its description takes besides.
template <class Model, class... Context>
Result<Model> parse_model(const Part& part, const Context&... context) {
  Model model;
  if (auto read = read_part(part.data, part.name(), model, context...); !read) return std::move(read).error();
  return model;
}

/// The same into the field tree, below `group`.
template <class Model, class... Context>
void record_model(const Part& part, Tree& tree, std::uint32_t group, const Context&... context) {
  Model model;
  record_part(part.data, part.name(), tree, group, model, context...);
}

}  // namespace unshade::dxcontainer
