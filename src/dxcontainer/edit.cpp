#include <unshade/dxcontainer/edit.hpp>

#include <algorithm>
#include <string>
#include <utility>

#include <unshade/dxcontainer/digest.hpp>

namespace unshade::dxcontainer {

namespace {

constexpr std::uint32_t kLast = fourcc("PRIV");

constexpr std::size_t kDigestOffset = 4;

bool same(std::span<const std::byte> a, std::span<const std::byte> b) { return std::equal(a.begin(), a.end(), b.begin(), b.end()); }

bool is_bitcode_part(std::uint32_t fourcc) {
  const PartKind* const kind = find_part_kind(fourcc);
  return kind != nullptr && kind->is_bitcode;
}

}  // namespace

ContainerEdit::ContainerEdit(const Container& container) : file_(container.file), original_(container) {
  form_.digest = container.digest;
  form_.major_version = container.major_version;
  form_.minor_version = container.minor_version;
  parts_.resize(container.parts.size());
  std::vector<std::size_t> order(parts_.size());
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const Part& part = container.parts[i];
    parts_[i].fourcc = part.fourcc;
    parts_[i].offset = part.offset;
    parts_[i].borrowed = part.data;
    order[i] = i;
  }
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return parts_[a].offset < parts_[b].offset; });
  std::size_t end = kHeaderBytes + 4 * parts_.size();
  for (const std::size_t i : order) {
    Piece& piece = parts_[i];
    if (piece.offset < end) {
      if (overlap_ == 0) overlap_ = file_.file_offset() + piece.offset;
    } else {
      piece.before = file_.clamped(end, piece.offset - end).bytes();
    }
    end = std::max(end, piece.offset + kPartHeaderBytes + piece.borrowed.size());
  }
  if (container.size > end) form_.after = file_.clamped(end, container.size - end).bytes();
  form_.trailing = file_.clamped(container.size, file_.size()).bytes();
}

Part ContainerEdit::part(std::size_t place) const {
  const Piece& piece = parts_[place];
  return {piece.fourcc, piece.offset, piece.is_owned ? View({piece.owned.data(), piece.owned.size()}) : piece.borrowed};
}

std::optional<std::size_t> ContainerEdit::find_any(std::initializer_list<std::uint32_t> fourccs) const {
  for (const std::uint32_t fourcc : fourccs)
    for (std::size_t i = 0; i < parts_.size(); ++i)
      if (parts_[i].fourcc == fourcc) return i;
  return std::nullopt;
}

void ContainerEdit::replace(std::size_t place, std::vector<std::byte> data) {
  if (same(this->data(place).bytes(), data)) return;
  parts_[place].owned = std::move(data);
  parts_[place].is_owned = true;
  changed_ = true;
}

void ContainerEdit::remove(std::size_t place) {
  parts_.erase(parts_.begin() + static_cast<std::ptrdiff_t>(place));
  changed_ = true;
}

std::size_t ContainerEdit::remove_all(std::uint32_t fourcc) {
  const std::size_t removed = std::erase_if(parts_, [&](const Piece& piece) { return piece.fourcc == fourcc; });
  changed_ = changed_ || removed != 0;
  return removed;
}

std::size_t ContainerEdit::add(std::uint32_t fourcc, std::vector<std::byte> data) {
  const bool is_bitcode = is_bitcode_part(fourcc) ||
                          std::any_of(parts_.begin(), parts_.end(), [](const Piece& piece) { return is_bitcode_part(piece.fourcc); });
  const bool is_level9 =
      std::any_of(parts_.begin(), parts_.end(), [](const Piece& piece) { return role_of(piece.fourcc) == PartRole::level9; });
  const auto column = is_bitcode ? &PartKind::module_place : is_level9 ? &PartKind::level9_place : &PartKind::token_place;
  const auto place_of = [&](std::uint32_t code) {
    const PartKind* const kind = find_part_kind(code);
    return kind != nullptr ? kind->*column : 0;
  };
  const auto own = place_of(fourcc);
  std::size_t place = 0;
  for (; place < parts_.size(); ++place) {
    if (parts_[place].fourcc == kLast && fourcc != kLast) break;
    if (own != 0 && place_of(parts_[place].fourcc) > own) break;
  }
  insert(place, fourcc, std::move(data));
  return place;
}

void ContainerEdit::insert(std::size_t place, std::uint32_t fourcc, std::vector<std::byte> data) {
  Piece piece;
  piece.fourcc = fourcc;
  piece.owned = std::move(data);
  piece.is_owned = true;
  parts_.insert(parts_.begin() + static_cast<std::ptrdiff_t>(place), std::move(piece));
  changed_ = true;
}

std::size_t ContainerEdit::put(std::uint32_t fourcc, std::vector<std::byte> data) {
  const auto place = find(fourcc);
  if (!place) return add(fourcc, std::move(data));
  replace(*place, std::move(data));
  return *place;
}

void ContainerEdit::sign(Signing signing, const Digest& digest) {
  signing_ = signing;
  form_.digest = digest;
}

bool ContainerEdit::changed() const { return changed_ || (signing_ && wanted_digest() != original_.digest); }

Digest ContainerEdit::wanted_digest() const {
  if (*signing_ == Signing::given) return form_.digest;
  return compute_digest(file_.clamped(0, original_.size), *signing_ == Signing::debug ? DigestVariant::debug : DigestVariant::standard);
}

Result<std::vector<std::byte>> ContainerEdit::write() const {
  if (!changed_) {
    std::vector<std::byte> out(file_.bytes().begin(), file_.bytes().end());
    if (signing_) {
      const Digest digest = wanted_digest();
      std::copy(digest.begin(), digest.end(), out.begin() + kDigestOffset);
    }
    return out;
  }
  if (overlap_ != 0) return Error{ErrorCode::overlap, overlap_, "parts", "parts overlap: one cannot be changed without the other"};
  std::vector<PartBytes> parts;
  parts.reserve(parts_.size());
  for (std::size_t i = 0; i < parts_.size(); ++i) parts.push_back({parts_[i].fourcc, data(i).bytes(), parts_[i].before});
  ContainerForm form = form_;
  form.signing = signing_ ? *signing_ : signing_of(original_);
  return write_container(parts, form);
}

Result<std::vector<std::byte>> wrap_part(std::uint32_t fourcc, std::span<const std::byte> data) {
  const PartBytes part{fourcc, data, {}};
  return write_container({&part, 1});
}

}  // namespace unshade::dxcontainer
