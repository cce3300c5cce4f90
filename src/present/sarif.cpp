#include <unshade/present/sarif.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <unshade/core/text/paths.hpp>

namespace unshade::present {

namespace {

/// The name of the folder that relative names are below, in originalUriBaseIds. GitHub and others take it for the root of the sources.
constexpr std::string_view kBase = "%SRCROOT%";

/// The folder that relative names are below: `file:///home/me/project/`.
std::string base_uri(std::string_view folder) {
  if (!paths::is_absolute(folder)) return {};
  std::string uri = paths::uri_of(folder);
  if (!uri.ends_with('/')) uri += '/';
  return uri;
}

/// The place of a SARIF result: a file, and a byte in it if there is one. GitHub shows no result without a line, though files of bytes have
/// none.
void write_location(Json& json, const std::string& uri, std::optional<std::uint64_t> offset) {
  json.key("locations");
  json.begin_array();
  json.begin_object();
  json.object("physicalLocation", [&] {
    json.object("artifactLocation", [&] {
      json.member("uri", uri);
      if (!uri.starts_with("file:")) json.member("uriBaseId", kBase);
    });
    if (offset) {
      json.object("region", [&] {
        json.member("startLine", 1U);
        json.member("byteOffset", *offset);
      });
    }
  });
  json.end_object();
  json.end_array();
}

}  // namespace

void write_sarif(const SarifTool& tool, std::span<const FileFindings> files, std::span<const Rule* const> rules,
                 std::span<const Fault> faults, Json& json) {
  // src: OASIS SARIF 2.1.0, 3.13 (log), 3.14.14 (originalUriBaseIds), 3.19 (driver), 3.20 (invocation), 3.27 (result), 3.30.11
  // (byteOffset), 3.49.12 (helpUri)
  json.begin_object();
  json.member("$schema", "https://json.schemastore.org/sarif-2.1.0.json");
  json.member("version", "2.1.0");
  json.key("runs");
  json.begin_array();
  json.begin_object();
  json.object("tool", [&] {
    json.object("driver", [&] {
      json.member("name", "unshade");
      json.member("version", tool.version);
      json.member("informationUri", tool.help);
      json.objects("rules", rules, [&](const Rule* rule) {
        json.member("id", rule->id);
        json.object("shortDescription", [&] { json.member("text", rule->summary); });
        json.member("helpUri", std::string(tool.help) + '#' + std::string(rule->id));
        json.object("defaultConfiguration", [&] { json.member("level", id(rule->severity)); });
      });
    });
  });
  if (const std::string base = base_uri(tool.folder); !base.empty())
    json.object("originalUriBaseIds", [&] { json.object(kBase, [&] { json.member("uri", base); }); });
  json.key("invocations");
  json.begin_array();
  json.begin_object();
  json.member("executionSuccessful", faults.empty());
  json.objects("toolExecutionNotifications", faults, [&](const Fault& fault) {
    json.object("descriptor", [&] { json.member("id", fault.id); });
    json.member("level", "error");
    json.object("message", [&] { json.member("text", fault.message); });
    write_location(json, paths::uri_of(fault.file), {});
  });
  json.end_object();
  json.end_array();
  json.array("results", files, [&](const FileFindings& file) {
    const std::string uri = paths::uri_of(file.file);
    for (const Diagnostic& finding : file.findings) {
      json.begin_object();
      json.member("ruleId", finding.rule->id);
      json.member("level", id(finding.rule->severity));
      Text message;
      if (!finding.path.empty()) message << finding.path << ": ";
      (message << finding.message << " (at 0x").hex(finding.offset);
      message << ')';
      json.object("message", [&] { json.member("text", message.view()); });
      write_location(json, uri, finding.offset);
      json.end_object();
    }
  });
  json.end_object();
  json.end_array();
  json.end_object();
  json.finish();
}

}  // namespace unshade::present
