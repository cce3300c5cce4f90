#include <unshade/shader/shader.hpp>

#include <unshade/core/limits.hpp>
#include <unshade/pica/shbin.hpp>

namespace unshade::shader {

using dxcontainer::fourcc;

namespace {

struct Magic {
  std::uint32_t value;
  Family family;
};
constexpr Magic kMagics[] = {
    {fourcc("DVLB"), Family::pica}, {fourcc("DVOJ"), Family::pica},
    {fourcc("DVOB"), Family::pica},  // a misprint of DVOJ in one document: refused by name
    {0x0723'0203, Family::spirv},   {0x0302'2307, Family::spirv},
};

// DXIL where a bitcode part says so; containers without any code count as DXBC.
Family family_of(const dxcontainer::Container& container) {
  return container.find_any({fourcc("DXIL"), fourcc("ILDB"), fourcc("PSV0"), fourcc("RDAT"), fourcc("ILDN"), fourcc("PDBI")}) != nullptr
             ? Family::dxil
             : Family::dxbc;
}

}  // namespace

std::string_view id(Family family) {
  switch (family) {
    case Family::dxbc: return "dxbc";
    case Family::dxil: return "dxil";
    case Family::pica: return "pica";
    case Family::spirv: return "spirv";
    case Family::vbc: return "vbc";
    case Family::unknown: return "unknown";
  }
  return "unknown";
}

Family identify(View file) {
  if (dxcontainer::is_container(file)) {
    const auto container = dxcontainer::parse_container(file);
    return container ? family_of(*container) : Family::dxbc;
  }
  const auto first = file.u32(0);
  for (const Magic& magic : kMagics)
    if (first == magic.value) return magic.family;
  return Family::unknown;
}

Result<Shader> open(View file) {
  if (file.size() > limits::kFileBytes) return Error{ErrorCode::limit, 0, "file", "files of 2 GiB and more are not read"};
  Shader shader;
  shader.file = file;
  if (dxcontainer::is_container(file)) {
    auto container = dxcontainer::parse_container(file);
    if (!container) return std::move(container).error();
    shader.container = *std::move(container);
    shader.family = family_of(shader.container);
    return shader;
  }
  if (file.empty()) return Error{ErrorCode::truncated, file.file_offset(), "magic", "the file is empty"};
  if (file.size() < 4) return Error{ErrorCode::truncated, file.file_offset(), "magic", "too short for any shader binary"};
  const Family family = identify(file);
  if (family == Family::pica) {
    shader.family = family;
    if (pica::is_shbin(file)) {
      if (auto shbin = pica::parse_shbin(file); !shbin) return std::move(shbin).error();
    } else if (auto object = pica::parse_object(file); !object) {
      return std::move(object).error();
    }
    return shader;
  }
  if (family != Family::unknown)
    return Error{ErrorCode::unsupported, file.file_offset(), "magic",
                 "a file of the family " + std::string(id(family)) + ", which this version does not read"};
  return Error{ErrorCode::bad_magic, file.file_offset(), "magic", "not a shader binary of a known family"};
}

}  // namespace unshade::shader
