// What a case says that a resource holds: bytes, numbers, files, pictures.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include <unshade/core/result.hpp>
#include <unshade/core/value.hpp>
#include <unshade/ir/module.hpp>
#include <unshade/picture/picture.hpp>
#include <unshade/run/run.hpp>
#include <unshade/texel/formats.hpp>
#include <unshade/vm/resources.hpp>

namespace unshade::run {

/// A resource that a map describes: `view` but for its memory, and that.
struct Described {
  texel::Descriptor view;
  std::vector<std::byte> bytes;
  std::optional<std::uint32_t> counter;
};
/// Texels of the smallest regions that a feedback map can have.
inline constexpr std::array<std::uint32_t, 2> kFinestRegion{4, 4};
/// What a shader declares, and a map need not say.
struct Declared {
  std::uint32_t stride = 0;  ///< of a structured buffer
  std::optional<dxcontainer::SamplerFeedback> feedback{};
};
Declared declared(const ir::Resource& resource);
/// Whether a shader reads or writes texels of a resource, whose format nothing but the case says.
bool has_texels(const ir::Resource& resource);
/// Refuses sizes that a resource of this kind does not have. `given`: the map of the resource, or the name of one that has the sizes of
/// `view`. Errors: bad_value; missing.
Result<void> check_shape(const Value& given, const ir::Resource& resource, const texel::Descriptor& view);
/// Counts bytes that resources are to take: `taken` is what they have so far. Errors: limit, if all together are more than
/// RunOptions::memory.
Result<void> take(std::uint64_t bytes, const RunOptions& options, std::uint64_t& taken);
/// `taken`: bytes that resources have so far, of RunOptions::memory.
Result<Described> described(const Value& given, const Declared& declared, const RunOptions& options, std::uint64_t& taken);

/// The code of an error of a file that the case names: `unsupported` is said of what a shader does, a file that is not read is wrong.
inline ErrorCode code_of_file(ErrorCode code) { return code == ErrorCode::unsupported ? ErrorCode::bad_value : code; }
/// What a file holds that the case names. Errors: bad_value, and what RunOptions::read_file says, at the name.
Result<std::vector<std::byte>> read_named(const RunOptions& options, const Value& path, std::string_view field);
/// A picture that the case names. Errors: as those of read_named(), and what the picture's reader says.
Result<picture::Picture> read_image(const RunOptions& options, const Value& path);
/// The field that says the contents of a resource, if that is no picture; null if there is none.
const Value::Member* content_of(const Value& given);
/// Refuses a map with two fields that say the contents of a resource.
Result<void> check_one_content(const Value& given);
/// The bytes that `hex`, `words`, `values`, `bytes`, `csv`, `npy` or `file` of a map say; none without them.
Result<std::vector<std::byte>> bytes_of(const Value& given, const texel::Format& format, const RunOptions& options);
/// The lanes that a map names a file of, as a list of maps. Errors: bad_value, missing; those of the file, at its name.
Result<Value> read_lanes(const Value& given, const RunOptions& options);
/// Names of the fields of a case, of a resource and of lanes in a file.
std::span<const std::string_view> case_fields();
std::span<const std::string_view> resource_fields();
std::span<const std::string_view> lanes_fields();

}  // namespace unshade::run
