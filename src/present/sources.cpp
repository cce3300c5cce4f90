#include <unshade/present/sources.hpp>

namespace unshade::present {

void write_sources(std::string_view file, const shader::Sources& sources, Json& json) {
  json.member("file", file);
  json.member("where", sources.where);
  json.objects("sources", sources.files, [&](const shader::SourceFile& source) {
    json.member("name", source.name);
    json.key("text");
    source.has_text ? json.string(source.text) : json.null();
  });
  json.objects("arguments", sources.arguments, [&](const shader::SourceArgument& argument) {
    json.member("name", argument.name);
    json.member("value", argument.value);
  });
}

}  // namespace unshade::present
