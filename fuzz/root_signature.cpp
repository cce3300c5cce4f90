// Properties of root signatures as text, and of MSF files that are written.
#include <string>
#include <vector>

#include <unshade/core/text.hpp>
#include <unshade/dxcontainer/msf.hpp>
#include <unshade/dxcontainer/root_signature_text.hpp>

#include "fuzz/properties.hpp"

namespace unshade::fuzz {

std::string root_signature_text(View file) {
  const auto parsed = dxcontainer::parse_root_signature_text(file.text());
  bool failed = false;
  for (const auto& message : parsed.messages) {
    failed = failed || message.severity == Severity::error;
    if (message.line == 0 || message.column == 0) return "a message without a place";
    if (to_string(message).size() > 4096) return "a message without end";
  }
  for (const auto& found : parsed.findings)
    if (found.line == 0 || found.column == 0) return "a finding without a place";
  if (failed == parsed.ok) return parsed.ok ? "made in spite of an error" : "refused without an error";
  if (!parsed.ok) return {};
  const auto bytes = dxcontainer::write_root_signature(parsed.signature);
  dxcontainer::Part part;
  part.fourcc = dxcontainer::fourcc("RTS0");
  part.data = View(bytes);
  const auto read = dxcontainer::parse_root_signature(part);
  if (!read) return "what was made cannot be read: " + to_string(read.error());
  Text text;
  if (auto printed = dxcontainer::print_root_signature(*read, text); !printed)
    return "what was made cannot be printed: " + to_string(printed.error());
  const auto again = dxcontainer::parse_root_signature_text(text.view());
  if (!again.ok) return "its text is refused: " + (again.messages.empty() ? std::string() : to_string(again.messages.back()));
  return dxcontainer::write_root_signature(again.signature) == bytes ? std::string() : "its text gives other bytes";
}

std::string msf_rewrite(View file) {
  const auto msf = dxcontainer::parse_msf(file);
  if (!msf) return msf.error().path.empty() ? "an error without a path" : std::string();
  std::vector<dxcontainer::MsfBytes> bytes;
  std::vector<View> streams;
  for (const auto& stream : msf->streams) bytes.push_back(msf->bytes(stream));
  for (const auto& stream : bytes) streams.push_back(stream.view());
  const auto written = dxcontainer::write_msf(streams, {msf->block_bytes, true});
  if (!written) return written.error().code == ErrorCode::limit ? std::string() : "refused: " + to_string(written.error());
  const auto again = dxcontainer::parse_msf(View(*written));
  if (!again) return "what was written cannot be read: " + to_string(again.error());
  if (again->streams.size() != streams.size()) return "another number of streams";
  for (std::size_t i = 0; i < streams.size(); ++i)
    if (again->bytes(i).view().text() != streams[i].text()) return "another stream " + std::to_string(i);
  return {};
}

}  // namespace unshade::fuzz
