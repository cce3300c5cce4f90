#include <unshade/unpack/archive.hpp>

#include <unshade/core/text.hpp>

#if defined(UNSHADE_HAS_ARCHIVES)

#include <archive.h>
#include <archive_entry.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include <unshade/core/text/utf8.hpp>
#include <unshade/system/utf8_texts.hpp>

namespace unshade::unpack {

namespace {

/// More members than any archive has that was seen: each costs time, even an empty one.
constexpr std::uint64_t kMostMembers = std::uint64_t{1} << 22;
constexpr std::size_t kPackedPiece = std::size_t{1} << 16;

struct FormName {
  int code;
  std::string_view id;
};
constexpr FormName kFormNames[] = {{ARCHIVE_FORMAT_ZIP, "zip"},    {ARCHIVE_FORMAT_7ZIP, "7zip"}, {ARCHIVE_FORMAT_RAR, "rar"},
                                   {ARCHIVE_FORMAT_RAR_V5, "rar"}, {ARCHIVE_FORMAT_CAB, "cab"},   {ARCHIVE_FORMAT_TAR, "tar"},
                                   {ARCHIVE_FORMAT_AR, "ar"},      {ARCHIVE_FORMAT_CPIO, "cpio"}, {ARCHIVE_FORMAT_ISO9660, "iso9660"}};

/// Bytes that were taken from what is packed so far.
std::uint64_t taken_of(archive* opened) {
  const la_int64_t offset = archive_filter_bytes(opened, -1);
  return offset < 0 ? 0 : static_cast<std::uint64_t>(offset);
}

/// What libarchive reads from.
struct Packed {
  Feed* feed;
  std::array<std::byte, kPackedPiece> piece;
  /// Of a feed that cannot go back: what libarchive has read, and may not have taken yet.
  std::vector<std::byte> recent;
  std::uint64_t recent_at = 0;  // where it begins

  static la_ssize_t read(archive* opened, void* self, const void** bytes) {
    Packed& packed = *static_cast<Packed*>(self);
    const std::size_t got = packed.feed->read(packed.piece.data(), packed.piece.size());
    if (!packed.feed->size()) {
      packed.forget(taken_of(opened));
      packed.recent.insert(packed.recent.end(), packed.piece.begin(), packed.piece.begin() + static_cast<std::ptrdiff_t>(got));
    }
    *bytes = packed.piece.data();
    return static_cast<la_ssize_t>(got);
  }
  void forget(std::uint64_t before) {
    const auto passed = static_cast<std::ptrdiff_t>(std::min<std::uint64_t>(before - std::min(before, recent_at), recent.size()));
    recent.erase(recent.begin(), recent.begin() + passed);
    recent_at += static_cast<std::uint64_t>(passed);
  }
  /// Hands on what lies from an offset on.
  void give_rest(std::uint64_t offset, const ArchiveReader& reader) {
    if (!reader.rest) return;
    if (feed->size()) {
      feed->seek(offset);
      return reader.rest(offset, *feed);
    }
    forget(offset);
    ReplayedFeed rest(View(recent), *feed);
    reader.rest(recent_at, rest);
  }
  static la_int64_t seek(archive*, void* self, la_int64_t offset, int whence) {
    Packed& packed = *static_cast<Packed*>(self);
    const auto size = static_cast<la_int64_t>(*packed.feed->size());
    if (whence == SEEK_END) offset += size;
    if (whence == SEEK_CUR || offset < 0 || offset > size) return ARCHIVE_FATAL;
    packed.feed->seek(static_cast<std::uint64_t>(offset));
    return offset;
  }
};

struct CloseArchive {
  void operator()(archive* opened) const { archive_read_free(opened); }
};
using Archive = std::unique_ptr<archive, CloseArchive>;

std::string text_of(const char* text) { return text != nullptr ? text : "the archive cannot be read"; }

/// Damage, at the packed bytes that were read last.
Error damage(archive* opened, const std::string& member) {
  std::string message = text_of(archive_error_string(opened));
  while (message.ends_with('\n') || message.ends_with('.')) message.pop_back();
  return {ErrorCode::bad_value, taken_of(opened), member, std::move(message)};
}

/// The same, unless it is that there is no key.
Error fault_of(archive* opened, const std::string& member, bool is_encrypted) {
  if (!is_encrypted) return damage(opened, member);
  return {ErrorCode::unsupported, taken_of(opened), member, member.empty() ? "the archive is encrypted" : "the member is encrypted"};
}

Error no_archive() { return {ErrorCode::bad_magic, 0, {}, "begins like an archive, but is not one"}; }

Error spent(archive* opened, const std::string& member) {
  Text text;
  (text << "unpacks to more than ").dec(Budget::kMostRatio) << " times the size of the file: the rest is not searched";
  Error error = damage(opened, member);
  error.code = ErrorCode::limit;
  error.message = text.str();
  return error;
}

/// What a member holds.
class MemberFeed final : public Feed {
 public:
  MemberFeed(archive* opened, Budget& budget) : archive_(opened), budget_(&budget) {}

  bool failed = false;
  /// Where libarchive is when it has the first byte, and has taken none: where an image has its content.
  std::optional<std::uint64_t> begins_at;

  std::size_t read(std::byte* into, std::size_t bytes) override {
    std::size_t got = 0;
    while (!failed && got < bytes) {
      const la_ssize_t count = archive_read_data(archive_, into + got, begins_at ? bytes - got : 1);
      if (!begins_at && count == 1) begins_at = taken_of(archive_);
      if (count == ARCHIVE_RETRY) continue;
      if (count < 0) failed = true;
      if (count <= 0 || !budget_->take(static_cast<std::uint64_t>(count))) break;
      got += static_cast<std::size_t>(count);
    }
    return got;
  }

 private:
  archive* archive_;
  Budget* budget_;
};

std::vector<std::string> forms_of(archive* opened) {
  std::vector<std::string> forms;
  for (int i = archive_filter_count(opened) - 1; i >= 0; --i)
    if (archive_filter_code(opened, i) != ARCHIVE_FILTER_NONE) forms.emplace_back(text_of(archive_filter_name(opened, i)));
  for (const FormName& row : kFormNames)
    if ((archive_format(opened) & ARCHIVE_FORMAT_BASE_MASK) == row.code) forms.emplace_back(row.id);
  return forms;
}

/// Of UTF-16, which Windows has, or of whole characters.
std::string utf8_of(std::wstring_view text) {
  std::string made;
  for (std::size_t at = 0; at < text.size(); ++at) {
    auto code = static_cast<std::uint32_t>(text[at]);
    const std::uint32_t next = at + 1 < text.size() ? static_cast<std::uint32_t>(text[at + 1]) : 0;
    if ((code & 0xfffffc00U) == 0xd800 && (next & 0xfffffc00U) == 0xdc00) {
      code = 0x10000 + ((code & 0x3ff) << 10 | (next & 0x3ff));
      ++at;
    }
    append_utf8(made, code);
  }
  return made;
}

std::string name_of(archive_entry* entry) {
  if (const char* const name = archive_entry_pathname_utf8(entry)) return name;
  if (const wchar_t* const name = archive_entry_pathname_w(entry)) return utf8_of(name);
  if (const char* const name = archive_entry_pathname(entry)) return name;  // in no encoding that is known
  return "?";
}

}  // namespace

bool has_archives() { return true; }

namespace {

using Support = int (*)(archive*);
// by name, not all: what is not named is not linked, and has had its faults
constexpr Support kArchives[] = {archive_read_support_format_zip,  archive_read_support_format_7zip, archive_read_support_format_rar,
                                 archive_read_support_format_rar5, archive_read_support_format_cab,  archive_read_support_format_tar,
                                 archive_read_support_format_ar,   archive_read_support_format_cpio, archive_read_support_format_iso9660};
// Not both at once: libarchive takes a content that begins with zeros for an empty tar.
constexpr Support kCompressed[] = {archive_read_support_filter_bzip2, archive_read_support_filter_lzip, archive_read_support_format_raw};

void read_members(Feed& packed, Budget& budget, const ArchiveReader& reader, std::span<const Support> forms) {
  const system::Utf8Texts utf8;  // names that the encoding of the locale lacks would be lost
  const Archive opened(archive_read_new());
  archive* const a = opened.get();
  for (const Support support : forms) support(a);
  Packed source{&packed, {}, {}};
  archive_read_set_callback_data(a, &source);
  archive_read_set_read_callback(a, Packed::read);
  if (packed.size()) archive_read_set_seek_callback(a, Packed::seek);
  if (archive_read_open1(a) != ARCHIVE_OK) return reader.fault(damage(a, {}));
  bool has_fault = false;
  for (std::uint64_t number = 0;; ++number) {
    archive_entry* entry = nullptr;
    const int status = archive_read_next_header(a, &entry);
    if (status == ARCHIVE_EOF) {
      if (!has_fault) source.give_rest(taken_of(a), reader);
      return;
    }
    if (status == ARCHIVE_RETRY && number != kMostMembers) {  // the next member may be whole
      has_fault = true;
      reader.fault(damage(a, {}));
      continue;
    }
    if (status < ARCHIVE_WARN && number == 0 && archive_format(a) == 0) return reader.fault(no_archive());
    if (status < ARCHIVE_WARN) return reader.fault(fault_of(a, {}, archive_read_has_encrypted_entries(a) > 0));
    const bool is_raw = (archive_format(a) & ARCHIVE_FORMAT_BASE_MASK) == ARCHIVE_FORMAT_RAW;
    const Member member{forms_of(a), is_raw ? std::string() : name_of(entry)};
    if (member.forms.empty()) return reader.fault(no_archive());
    if (number == kMostMembers)
      return reader.fault({ErrorCode::limit, damage(a, {}).offset, member.name, "the archive has too many members"});
    const bool is_image = (archive_format(a) & ARCHIVE_FORMAT_BASE_MASK) == ARCHIVE_FORMAT_ISO9660;
    const std::uint64_t header_end = taken_of(a);
    if (!is_raw && archive_entry_filetype(entry) != AE_IFREG) {
      if (reader.covers && !is_image) reader.covers(header_end, header_end);
      continue;
    }
    MemberFeed feed(a, budget);
    const bool go_on = reader.member(member, feed);
    // to the checksum, wherever a format inside has its end
    for (std::array<std::byte, 4096> left; feed.read(left.data(), left.size()) != 0;) {
    }
    if (budget.spent()) return reader.fault(spent(a, member.name));
    if (feed.failed) {
      has_fault = true;
      reader.fault(fault_of(a, member.name, archive_entry_is_encrypted(entry) != 0));
    } else if (reader.covers && (!is_image || feed.begins_at)) {
      reader.covers(is_image ? *feed.begins_at : header_end, taken_of(a));
    }
    if (!go_on) return;
  }
}

}  // namespace

void read_archive(Feed& packed, Budget& budget, const ArchiveReader& reader) { read_members(packed, budget, reader, kArchives); }
void read_compressed(Feed& packed, Budget& budget, const ArchiveReader& reader) { read_members(packed, budget, reader, kCompressed); }

}  // namespace unshade::unpack

#else

namespace unshade::unpack {

bool has_archives() { return false; }

void read_archive(Feed&, Budget&, const ArchiveReader& reader) {
  reader.fault({ErrorCode::unsupported, 0, {}, "archives require libarchive, without which this unshade was built"});
}
void read_compressed(Feed& packed, Budget& budget, const ArchiveReader& reader) { read_archive(packed, budget, reader); }

}  // namespace unshade::unpack

#endif
