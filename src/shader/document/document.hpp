// What documents of all families are made with.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <unshade/core/archive/archive.hpp>
#include <unshade/core/result.hpp>
#include <unshade/core/value.hpp>
#include <unshade/core/view.hpp>
#include <unshade/shader/document.hpp>
#include <unshade/shader/shader.hpp>

namespace unshade::shader::document {

using FileBytes = std::vector<std::byte>;

// Documents of each family, for its row: see capability::DocumentRow::make.
Result<void> make_dxbc(const Shader& shader, Value& document, DocumentFacts& facts, Hints hints);
Result<FileBytes> build_dxbc(const Value& document, std::uint64_t most, const BuildOptions& options);
Result<void> make_dxil(const Shader& shader, Value& document, DocumentFacts& facts, Hints hints);
Result<FileBytes> build_dxil(const Value& document, std::uint64_t most, const BuildOptions& options);
Result<void> make_pica(const Shader& shader, Value& document, DocumentFacts& facts, Hints hints);
Result<FileBytes> build_pica(const Value& document, std::uint64_t most, const BuildOptions& options);
Result<void> make_spirv(const Shader& shader, Value& document, DocumentFacts& facts, Hints hints);
Result<FileBytes> build_spirv(const Value& document, std::uint64_t most, const BuildOptions& options);
Result<void> make_vbc(const Shader& shader, Value& document, DocumentFacts& facts, Hints hints);
Result<FileBytes> build_vbc(const Value& document, std::uint64_t most, const BuildOptions& options);

/// Members of a map that are read one after another; the first fault sticks.
class DocumentReader {
 public:
  /// Those that documents of all families have are known already.
  explicit DocumentReader(const Value& map);

  /// A member, or null if there is none. It is not unknown any more.
  const Value* take(std::string_view key);
  std::vector<std::byte> take_bytes(std::string_view key);
  std::uint32_t take_u32(std::string_view key, std::uint32_t otherwise);

  const Value& map() const { return map_; }
  void fail(ErrorCode code, const Value& at, std::string_view key, std::string message);
  bool ok() const { return !failed_; }
  /// The first fault; a member that nobody took is one.
  Result<void> finish();

 private:
  const Value& map_;
  std::vector<bool> taken_;
  bool failed_ = false;
  Error error_;
};

/// How many bytes of a part, or of a file, may be gaps before the description is given up.
inline constexpr std::uint64_t kFewBytes = 16;

/// Bytes that differ from what was built, as hints of a map: `size`, if the length is another one, and `gaps`.
struct Patches {
  bool any = false;
  std::uint64_t bytes = 0;  ///< of the original that they hold
};
/// Adds hints to `map` that turn `built` into `original`.
Patches add_patches(Value& map, std::span<const std::byte> built, std::span<const std::byte> original);
/// What add_patches() would have to say, without saying it.
Patches count_patches(std::span<const std::byte> built, std::span<const std::byte> original);
/// Takes the hints out of `reader` and applies them. `fill`: what a longer size is filled with.
void apply_patches(DocumentReader& reader, std::vector<std::byte>& bytes, std::uint64_t most);

/// Something that is built of fields and hints, and can be told as fields again.
class HintedThing {
 public:
  virtual Result<FileBytes> build(Places places, bool& met_hint) const = 0;
  /// Fields without hints.
  virtual Result<Value> tell(std::span<const std::byte> bytes) const = 0;

 protected:
  ~HintedThing() = default;
};
/// Builds a thing with the hints in `fields`, and `size` and `gaps` of `reader`, as far as `options` says so: never such that it reads as
/// something else than it does without hints. `note` is set if hints were dropped. Faults go to `reader`, but for those of `thing`.
Result<FileBytes> build_hinted(const HintedThing& thing, const Value& fields, DocumentReader& reader, std::uint64_t most, Hints hints,
                               std::optional<Error>& note);

/// How large what a document describes may be, by the size of the document: a place far away must not cost memory.
std::uint64_t most_bytes(const Value& document);

}  // namespace unshade::shader::document
