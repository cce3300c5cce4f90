#include <unshade/dxil/debug_file.hpp>

#include <algorithm>
#include <utility>

#include <unshade/dxcontainer/edit.hpp>
#include <unshade/dxcontainer/writer.hpp>
#include <unshade/dxil/parts.hpp>

namespace unshade::dxil::parts {

using dxcontainer::Container;
using dxcontainer::fourcc;
using dxcontainer::Part;
using dxcontainer::PdbIdentity;

}  // namespace unshade::dxil::parts

namespace unshade::dxil {

Result<parts::PdbIdentity> identity_of(const parts::Container& container) {
  parts::PdbIdentity identity;
  if (const parts::Part* const part = container.find(dxcontainer::fourcc("HASH"))) {
    const auto hash = parse_hash(*part);
    if (!hash) return hash.error();
    identity.guid = hash->digest;
    return identity;
  }
  identity.guid = container.digest;
  if (std::all_of(identity.guid.begin(), identity.guid.end(), [](std::byte b) { return b == std::byte{0}; }))
    return Error{ErrorCode::missing, container.file.file_offset(), "HASH", "the container has neither a HASH part nor a digest"};
  return identity;
}

std::string debug_file_name(const parts::PdbIdentity& identity) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string name;
  for (const std::byte b : identity.guid) {
    name += kDigits[std::to_integer<std::size_t>(b >> 4)];
    name += kDigits[std::to_integer<std::size_t>(b & std::byte{15})];
  }
  return name + ".pdb";
}

Result<DebugDatabase> describe_database(View file) {
  const auto pdb = dxcontainer::find_container_in_pdb(file);
  if (!pdb) return pdb.error();
  const auto identity = dxcontainer::parse_pdb_identity(pdb->msf());
  if (!identity) return identity.error();
  const auto container = dxcontainer::parse_container(pdb->view());
  if (!container) return container.error();
  DebugDatabase database;
  database.id = debug_file_name(*identity).substr(0, 2 * identity->guid.size());
  database.age = identity->age;
  if (const parts::Part* const part = container->find(dxcontainer::fourcc("ILDN")))
    if (const auto known = parse_debug_name(*part)) database.name = known->name;
  database.block_bytes = pdb->msf().block_bytes;
  for (const dxcontainer::MsfStream& stream : pdb->msf().streams) database.stream_bytes.push_back(stream.size);
  database.container_stream = pdb->stream();
  for (const parts::Part& part : container->parts) database.parts.push_back(part.fourcc);
  return database;
}

Result<std::vector<std::byte>> make_database(View container) {
  const auto parsed = dxcontainer::parse_container(container);
  if (!parsed) return parsed.error();
  const auto identity = identity_of(*parsed);
  if (!identity) return identity.error();
  return dxcontainer::write_pdb(container, *identity);
}

Result<SeparatedDebug> separate_debug(const parts::Container& container, std::string_view name) {
  const auto has = [&](std::uint32_t kind) { return container.find(kind) != nullptr; };
  if (!has(dxcontainer::fourcc("ILDB")) && !has(dxcontainer::fourcc("SRCI")) && !has(dxcontainer::fourcc("PDBI")))
    return Error{ErrorCode::missing, container.file.file_offset(), "ILDB", "the container has no debug information"};
  const auto identity = identity_of(container);
  if (!identity) return identity.error();
  SeparatedDebug result;
  result.name = name;
  if (result.name.empty()) {
    result.name = debug_file_name(*identity);
    if (const parts::Part* const part = container.find(dxcontainer::fourcc("ILDN")))
      if (const auto known = parse_debug_name(*part); known && !known->name.empty()) result.name = known->name;
  }
  DebugName debug_name;
  debug_name.name = result.name;
  const auto name_part = write_debug_name(debug_name);

  // src: DXC dxcompilerobj.cpp, CreateContainerForPDB: this order, and no digest
  std::vector<dxcontainer::PartBytes> parts;
  parts.push_back({dxcontainer::fourcc("ILDN"), name_part});
  for (const std::uint32_t kind : {dxcontainer::fourcc("HASH"), dxcontainer::fourcc("SRCI"), dxcontainer::fourcc("PDBI"),
                                   dxcontainer::fourcc("VERS"), dxcontainer::fourcc("ILDB")})
    if (const parts::Part* const part = container.find(kind)) parts.push_back({kind, part->data.bytes()});
  dxcontainer::ContainerForm form;
  form.signing = dxcontainer::Signing::given;
  const auto inner = dxcontainer::write_container(parts, form);
  if (!inner) return inner.error();
  auto pdb = dxcontainer::write_pdb(View(*inner), *identity);
  if (!pdb) return std::move(pdb).error();
  result.pdb = *std::move(pdb);

  dxcontainer::ContainerEdit edit(container);
  for (const std::uint32_t kind : {dxcontainer::fourcc("ILDB"), dxcontainer::fourcc("SRCI"), dxcontainer::fourcc("PDBI")})
    edit.remove_all(kind);
  edit.put(dxcontainer::fourcc("ILDN"), name_part);
  auto stripped = edit.write();
  if (!stripped) return std::move(stripped).error();
  result.stripped = *std::move(stripped);
  return result;
}

}  // namespace unshade::dxil
