#include <utility>

#include <unshade/document_text/document_text.hpp>
#include <unshade/present/value.hpp>

namespace unshade::document_text {

Result<Value> read_by_name(std::string_view name, std::string_view text) {
  if (name.ends_with(".toml")) return read_toml(text);
  auto yaml = read_yaml(text);
  if (yaml || name != "<stdin>") return yaml;
  auto toml = read_toml(text);
  return toml || toml.error().offset > yaml.error().offset ? std::move(toml) : std::move(yaml);
}

Result<Value> read_llvm_rest(std::string_view text) {
  const auto rest = present::llvm_rest(text);
  if (!rest) return rest.error();
  return rest->empty() ? Value() : read_yaml(*rest);
}

}  // namespace unshade::document_text
