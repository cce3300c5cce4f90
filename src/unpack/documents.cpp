#include <unshade/unpack/documents.hpp>

#include <unshade/present/schemas.hpp>

namespace unshade::unpack {

using present::Json;

void write_found(std::string_view file, const FoundShader& shader, std::span<const std::string> ids, std::string_view output,
                 present::Printer& out) {
  Json json(out, Json::Layout::compact);
  begin_document(present::Schema::scan, json);
  json.member("file", file);
  if (shader.layers != nullptr) {
    json.objects("layers", *shader.layers, [&](const Layer& layer) {
      json.member("form", layer.form);
      json.text_or_null("member", layer.member);
      json.key("offset");
      layer.offset ? json.number(*layer.offset) : json.null();
    });
  }
  json.member("offset", shader.hit.offset);
  json.member("size", shader.hit.size);
  json.member("family", shader::id(shader.hit.family));
  json.member("form", id(shader.hit.form));
  json.text_or_null("stage", shader.stage);
  json.text_or_null("profile", shader.profile);
  json.member("certainty", id(shader.hit.certainty));
  json.key("parent");
  shader.hit.parent ? json.number(*shader.hit.parent) : json.null();
  if (!ids.empty()) {
    json.object("identities", [&] {
      for (std::size_t i = 0; i < ids.size(); ++i) json.text_or_null(ids[i], shader.identities[i]);
    });
  }
  if (!output.empty()) json.member("output", output);
  end_document(json);
}

void print_content(std::size_t number, const Content& content, std::string_view output, present::Printer& out) {
  out.text.dec(number) << "  ";
  if (content.layers != nullptr) {
    Text layers;
    print_layers(layers, *content.layers);
    print_safely(out.text, layers.view());
    out.text << ':';
  }
  out.text << "0x";
  out.text.hex(content.at.offset, 8) << "  ";
  out.text.dec(content.at.bytes) << " bytes";
  if (content.family != shader::Family::unknown) out.text << "  " << shader::id(content.family);
  if (!content.profile.empty()) print_safely(out.text << ' ', content.profile);
  if (!content.at.name.empty()) print_safely(out.text << "  ", content.at.name);
  if (!output.empty()) print_safely(out.text << "  -> ", output);
  out.text << '\n';
}

void write_content(const Content& content, std::string_view output, Json& json) {
  json.begin_object();
  json.member("offset", content.at.offset);
  json.member("size", std::uint64_t{content.at.bytes});
  json.member("name", content.at.name);
  if (content.family != shader::Family::unknown) json.member("family", shader::id(content.family));
  if (!content.profile.empty()) json.member("profile", content.profile);
  if (content.layers != nullptr) {
    Text layers;
    print_layers(layers, *content.layers);
    json.member("layers", layers.view());
  }
  if (!output.empty()) json.member("output", output);
  json.end_object();
}

}  // namespace unshade::unpack
