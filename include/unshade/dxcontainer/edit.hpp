// Edits of a container: parts are added, removed and replaced; unchanged ones are copied.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <unshade/core/edit.hpp>
#include <unshade/core/result.hpp>
#include <unshade/core/view.hpp>
#include <unshade/dxcontainer/container.hpp>
#include <unshade/dxcontainer/writer.hpp>

namespace unshade::dxcontainer {

/// A container on its way to become another. Borrows the file's bytes until write(); owns those of parts that were added or replaced.
///
///     ContainerEdit edit(container);
///     edit.remove_all(fourcc("RDEF"));
///     if (const auto at = edit.find(fourcc("PRIV"))) edit.replace(*at, std::move(bytes));
///     auto bytes = edit.write();
class ContainerEdit {
 public:
  explicit ContainerEdit(const Container& container);

  /// Places of parts count from 0 in the order of the part index, as it is now.
  std::size_t part_count() const { return parts_.size(); }
  std::uint32_t fourcc_of(std::size_t place) const { return parts_[place].fourcc; }
  /// The part as it is now, for the parsers. Its bytes stay where they are until the part is replaced, removed, or the edit ends; the
  /// offset is the one in the file, and 0 for a new part.
  Part part(std::size_t place) const;
  View data(std::size_t place) const { return part(place).data; }
  /// The first part of a kind, or of the kinds given in their order of preference.
  std::optional<std::size_t> find(std::uint32_t fourcc) const { return find_any({fourcc}); }
  std::optional<std::size_t> find_any(std::initializer_list<std::uint32_t> fourccs) const;

  /// Other bytes for a part. The same bytes change nothing.
  void replace(std::size_t place, std::vector<std::byte> data);
  void remove(std::size_t place);
  /// Returns how many parts of the kind there were.
  std::size_t remove_all(std::uint32_t fourcc);
  /// Puts a part where compilers put one of its kind: before the first that they write after it, else last, and before PRIV in
  /// any case. Another part of the same kind may be there already. Returns its place.
  std::size_t add(std::uint32_t fourcc, std::vector<std::byte> data);
  /// Puts a part at a place of the caller's.
  void insert(std::size_t place, std::uint32_t fourcc, std::vector<std::byte> data);
  /// Replaces the first part of the kind, or adds one. Returns its place.
  std::size_t put(std::uint32_t fourcc, std::vector<std::byte> data);

  /// How the digest comes about; without this, as signing_of() says of the container as it was.
  void sign(Signing signing, const Digest& digest = {});

  /// Whether write() gives other bytes than the file's.
  bool changed() const;
  /// The file. Nothing changed: the same bytes, a wrong digest included. Else parts are side by side in the order of the index; bytes of
  /// no part stay before the part that they preceded, and go with it. Bytes after the container stay.
  /// Errors: overlap if parts share bytes, so that they cannot be told apart; those of write_container().
  Result<std::vector<std::byte>> write() const;

 private:
  /// The digest that sign() asks for, of the parts as they were.
  Digest wanted_digest() const;

  struct Piece {
    std::uint32_t fourcc = 0;
    std::uint32_t offset = 0;  // of the header in the file; 0: new
    View borrowed;             // if `owned` has nothing
    std::vector<std::byte> owned;
    bool is_owned = false;
    std::span<const std::byte> before{};  // bytes of no part before it
  };

  View file_;
  ContainerForm form_;
  std::optional<Signing> signing_;  // absent: that of the file, which takes its digest to find out
  Container original_;
  std::vector<Piece> parts_;
  std::uint64_t overlap_ = 0;  // file offset of the first part that shares bytes with one before; 0: none does
  bool changed_ = false;
};

/// A part that an edit of a format gives other data.
struct EditedPart {
  std::size_t index = 0;  ///< in Container::parts
  std::vector<std::byte> data;
};

/// What such an edit comes to. HASH and the digest are for whoever writes the container.
struct PartEdits {
  std::vector<EditedPart> parts;   ///< those that differ from before, by index; each once
  std::vector<std::string> notes;  ///< what could not follow, and why that does no harm
};

/// A container of one part alone: what D3DGetBlobPart() gives for a root signature, a signature or debug information.
Result<std::vector<std::byte>> wrap_part(std::uint32_t fourcc, std::span<const std::byte> data);

}  // namespace unshade::dxcontainer
