#include <unshade/dxcontainer/container.hpp>

#include <algorithm>
#include <array>
#include <cstring>
#include <span>

#include <unshade/core/limits.hpp>

#include "dxcontainer/container_layout.hpp"

namespace unshade::dxcontainer {

namespace {

constexpr PartKind kPartKinds[] = {
#define DX_PART(name, reader, role, strip, meaning, bitcode, stream, precision, token, level9, module, summary)       \
  {fourcc(#name), #name,  PartRole::role, StripClass::strip, PartMeaning::meaning, bitcode, stream, precision, token, \
   level9,        module, summary},
#include <unshade/dxcontainer/parts.def>
};

/// The kinds of each role, that which supersedes the others first: the rows of parts.def from the last.
constexpr std::size_t kRoles = std::size_t{static_cast<std::uint8_t>(PartRole::tokens)} + 1;
struct KindsOfRole {
  std::array<std::uint32_t, std::size(kPartKinds)> fourccs{};
  std::size_t count = 0;
};
constexpr auto kKindsOfRoles = [] {
  std::array<KindsOfRole, kRoles> roles{};
  for (std::size_t i = std::size(kPartKinds); i-- > 0;) {
    KindsOfRole& role = roles[static_cast<std::size_t>(kPartKinds[i].role)];
    role.fourccs[role.count++] = kPartKinds[i].fourcc;
  }
  return roles;
}();

}  // namespace

std::span<const PartKind> part_kinds() { return kPartKinds; }

const PartKind* find_part_kind(std::uint32_t fourcc) {
  for (const PartKind& kind : kPartKinds)
    if (kind.fourcc == fourcc) return &kind;
  return nullptr;
}

PartRole role_of(std::uint32_t fourcc) {
  const PartKind* const kind = find_part_kind(fourcc);
  return kind != nullptr ? kind->role : PartRole::other;
}

const char* Part::name() const {
  const PartKind* kind = find_part_kind(fourcc);
  return kind != nullptr ? kind->name : "part";
}

const Part* Container::find(std::uint32_t fourcc) const { return find_any({fourcc}); }

const Part* Container::find(PartRole role) const {
  const KindsOfRole& kinds = kKindsOfRoles[static_cast<std::size_t>(role)];
  for (const std::uint32_t fourcc : std::span(kinds.fourccs).first(kinds.count))
    if (const Part* const part = find(fourcc)) return part;
  return nullptr;
}

const Part* Container::find_any(std::initializer_list<std::uint32_t> fourccs) const {
  for (const auto fourcc : fourccs)
    for (const Part& part : parts)
      if (part.fourcc == fourcc) return &part;
  return nullptr;
}

bool is_container(View file) { return file.u32(0) == kMagic; }

Result<Container> parse_container(View file) {
  Container container;
  container.file = file;
  ContainerHeader header;
  if (auto read = read_part(file, "header", header); !read) return std::move(read).error();
  std::copy_n(header.digest.data(), container.digest.size(), container.digest.begin());
  container.major_version = header.major_version;
  container.minor_version = header.minor_version;
  container.size = header.size;

  const auto fault = [&](ErrorCode code, std::size_t offset, std::string path, std::string message) {
    return Error{code, file.file_offset() + offset, std::move(path), std::move(message)};
  };
  if (header.size > file.size()) {
    return fault(ErrorCode::truncated, 24, "header/size",
                 "the header states " + std::to_string(header.size) + " bytes, the file has " + std::to_string(file.size()));
  }
  if (header.size < kHeaderBytes) return fault(ErrorCode::bad_value, 24, "header/size", "smaller than the 32-byte header");
  const View whole = file.clamped(0, header.size);
  if (header.part_count > whole.left(kHeaderBytes) / 4) {
    return fault(ErrorCode::truncated, 28, "header/part_count",
                 "an index of " + std::to_string(header.part_count) + " parts exceeds the file");
  }
  if (header.part_count > limits::kParts)
    return fault(ErrorCode::limit, 28, "header/part_count", "more than " + std::to_string(limits::kParts) + " parts");
  const std::size_t index_end = kHeaderBytes + std::size_t{4} * header.part_count;
  container.parts.reserve(header.part_count);
  for (std::uint32_t i = 0; i < header.part_count; ++i) {
    const std::size_t field = kHeaderBytes + std::size_t{4} * i;
    const auto offset = whole.load_unchecked<std::uint32_t>(field);
    const auto element = [i](std::string array) { return std::move(array) + '[' + std::to_string(i) + ']'; };
    if (offset < index_end) {
      return fault(ErrorCode::out_of_range, field, element("part_offsets"),
                   "part at offset " + std::to_string(offset) + " overlaps the header or part index");
    }
    if (!whole.holds(offset, kPartHeaderBytes)) {
      return fault(ErrorCode::truncated, field, element("part_offsets"),
                   "part header at offset " + std::to_string(offset) + " exceeds the container");
    }
    Part part;
    part.fourcc = whole.load_unchecked<std::uint32_t>(offset);
    part.offset = offset;
    const auto size = whole.load_unchecked<std::uint32_t>(std::size_t{offset} + 4);
    const auto data = whole.sub(std::size_t{offset} + kPartHeaderBytes, size);
    if (!data) {
      return fault(ErrorCode::truncated, std::size_t{offset} + 4, element("parts") + "/size",
                   fourcc_text(part.fourcc) + " of " + std::to_string(size) + " bytes reaches beyond the container");
    }
    part.data = *data;
    container.parts.push_back(part);
  }
  return container;
}

std::vector<std::uint32_t> record_container(const Container& container, Tree& tree) {
  TreeReader reader(container.file, TreeRecorder(tree, 0));
  ContainerHeader header;
  reader.record("header", header);
  std::vector<PartOffset> offsets;
  reader.records("part_offsets", offsets, container.parts.size(), 4);
  std::vector<std::uint32_t> groups;
  groups.reserve(container.parts.size());
  for (std::uint32_t i = 0; i < container.parts.size(); ++i) {
    const Part& part = container.parts[i];
    const auto start = static_cast<std::uint32_t>(container.file.file_offset() + part.offset);
    const auto group = tree.add({part.name(), &kGroup, 0, start, static_cast<std::uint32_t>(kPartHeaderBytes + part.data.size()),
                                 find_part_kind(part.fourcc) != nullptr ? kNoIndex : i, 0});
    TreeReader head(container.file.clamped(part.offset, kPartHeaderBytes), TreeRecorder(tree, group));
    PartHeader part_header;
    head.record("part_header", part_header);
    groups.push_back(group);
  }
  return groups;
}

}  // namespace unshade::dxcontainer
