#include <unshade/dxcontainer/writer.hpp>

#include <algorithm>

#include <unshade/core/archive/writer.hpp>
#include <unshade/core/limits.hpp>

#include "dxcontainer/container_layout.hpp"

namespace unshade::dxcontainer {

namespace {

void append(std::vector<std::byte>& out, std::span<const std::byte> bytes) { out.insert(out.end(), bytes.begin(), bytes.end()); }

std::vector<std::byte> header_bytes(ContainerHeader header, const Digest& digest) {
  header.digest = View({digest.data(), digest.size()});
  return write_part(header);
}

}  // namespace

Result<std::vector<std::byte>> write_container(std::span<const PartBytes> parts, const ContainerForm& form) {
  if (parts.size() > limits::kParts) return Error{ErrorCode::limit, 0, "parts", "more than " + std::to_string(limits::kParts) + " parts"};
  std::uint64_t size = kHeaderBytes + 4 * std::uint64_t{parts.size()};
  for (const PartBytes& part : parts) size += part.before.size() + kPartHeaderBytes + part.data.size();
  size += form.after.size();
  if (size + form.trailing.size() > limits::kFileBytes) return Error{ErrorCode::limit, 0, "parts", "more than 2 GiB"};

  ContainerHeader header;
  header.major_version = form.major_version;
  header.minor_version = form.minor_version;
  header.size = static_cast<std::uint32_t>(size);
  header.part_count = static_cast<std::uint32_t>(parts.size());
  std::vector<std::byte> out = header_bytes(header, form.digest);
  out.reserve(static_cast<std::size_t>(size) + form.trailing.size());
  std::size_t at = kHeaderBytes + 4 * parts.size();
  for (const PartBytes& part : parts) {
    at += part.before.size();
    append(out, write_part(PartOffset{static_cast<std::uint32_t>(at)}));
    at += kPartHeaderBytes + part.data.size();
  }
  for (const PartBytes& part : parts) {
    append(out, part.before);
    append(out, write_part(PartHeader{part.fourcc, static_cast<std::uint32_t>(part.data.size())}));
    append(out, part.data);
  }
  append(out, form.after);
  if (form.signing != Signing::given) {
    const auto variant = form.signing == Signing::debug ? DigestVariant::debug : DigestVariant::standard;
    const auto signed_header = header_bytes(header, compute_digest(View({out.data(), out.size()}), variant));
    std::copy(signed_header.begin(), signed_header.end(), out.begin());
  }
  append(out, form.trailing);
  return out;
}

Signing signing_of(const Container& container) {
  switch (check_digest(container)) {
    case DigestState::valid: return Signing::standard;
    case DigestState::valid_debug: return Signing::debug;
    default: return Signing::given;
  }
}

}  // namespace unshade::dxcontainer
