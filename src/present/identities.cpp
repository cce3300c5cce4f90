#include <unshade/present/identities.hpp>

#include <unshade/shader/file_summary.hpp>

namespace unshade::present {

void write_identities(std::string_view file, const shader::Shader& shader, std::span<const find::Identity> identities, Json& json) {
  const shader::Summary summary = shader::summarize(shader);
  json.begin_object();
  json.member("file", file);
  json.member("family", shader::id(summary.family));
  json.text_or_null("stage", summary.stage);
  json.text_or_null("profile", summary.profile);
  json.member("size", summary.size);
  json.objects("identities", identities, [&](const find::Identity& identity) {
    json.member("id", identity.id);
    json.member("value", identity.value);
    json.member("tools", find::identity_kind(identity.id)->tools);
  });
  json.end_object();
}

}  // namespace unshade::present
