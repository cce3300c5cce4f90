#include "cli/yaml/yaml.hpp"

namespace unshade::cli::yaml {

TextPlace place_in(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, std::min(offset, text.size()));
  const auto line = before.rfind('\n');
  return {static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n')) + 1,
          before.size() - (line == std::string_view::npos ? 0 : line + 1) + 1};
}

void report_in(Io& io, const Input& input, const Error& error, Severity severity) {
  const TextPlace place = place_in(input.view().text(), error.offset);
  const std::string where = input.name + ':' + std::to_string(place.line) + ':' + std::to_string(place.column);
  io.report(where, severity, id(error.code), error.path.empty() ? error.message : error.path + ": " + error.message);
}

Result<Value> read_by_name(std::string_view name, std::string_view text) {
  if (name.ends_with(".toml")) return read_toml(text);
  auto yaml = read_yaml(text);
  if (yaml || name != "<stdin>") return yaml;
  auto toml = read_toml(text);
  return toml || toml.error().offset > yaml.error().offset ? std::move(toml) : std::move(yaml);
}

}  // namespace unshade::cli::yaml
