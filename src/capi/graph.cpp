// Control flow in all its forms.
#include <unshade/present/files.hpp>
#include <unshade/present/graph/graph.hpp>

#include "capi/listing.hpp"
#include "capi/object.hpp"
#include "capi/printed.hpp"

using namespace unshade;
using capi::guarded;

namespace {

constexpr std::uint32_t kAllLines = 0xffff'ffff;

Result<std::string> graph_text(const shader::Shader& shader, std::int32_t form, const unshade_graph_options& how) {
  present::GraphOptions options;
  if (how.function != nullptr) options.functions.emplace_back(how.function);
  options.folded.assign(how.folded, how.folded + how.folded_count);
  if (how.lines != 0) options.lines = how.lines == kAllLines ? 0 : how.lines;
  if (how.columns != 0) options.columns = how.columns;
  const auto views = present::view_graphs(shader, options, capi::listing_options(how.listing_flags));
  if (!views) return views.error();
  const present::GraphTitle title{how.file != nullptr ? std::string_view(how.file) : std::string_view(), shader::id(shader.family)};
  return capi::printed([&](present::Printer& printer) -> Result<void> {
    if (form == UNSHADE_GRAPH_SVG) {
      present::print_graph_svg(title, *views, printer.text);
    } else if (form == UNSHADE_GRAPH_DOT) {
      present::print_graph_dot(title, *views, printer.text);
    } else if (form == UNSHADE_GRAPH_TEXT) {
      present::print_graph_outline(*views, printer.text);
    } else {
      present::Json json(printer, present::Json::Layout::compact);
      present::begin_files(json, present::Schema::graph);
      present::write_graph(title, *views, json);
      present::end_files(json);
    }
    return {};
  });
}

}  // namespace

unshade_code unshade_graph(const unshade_shader* shader, int32_t form, const unshade_graph_options* options, unshade_blob** text,
                           unshade_error** error) {
  if (text != nullptr) *text = nullptr;
  return guarded(error, [&]() -> unshade_code {
    if (shader == nullptr || text == nullptr) return capi::invalid_argument(error, "shader or text is NULL");
    if (form < UNSHADE_GRAPH_JSON || form > UNSHADE_GRAPH_TEXT) return capi::invalid_argument(error, "unknown form");
    unshade_graph_options how{};
    if (options != nullptr) {
      if (options->struct_size < sizeof how) return capi::invalid_argument(error, "struct_size of the options is too small");
      how = *options;
    }
    if (how.folded == nullptr && how.folded_count != 0) return capi::invalid_argument(error, "folded is NULL");
    const auto made = graph_text(shader->shader, form, how);
    if (!made) return capi::fail(error, made.error());
    *text = capi::make_blob(*made);
    return UNSHADE_OK;
  });
}
