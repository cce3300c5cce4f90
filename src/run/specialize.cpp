#include <unshade/run/specialize.hpp>

// Specialization constants that a case sets.
#include <algorithm>
#include <cstring>
#include <utility>

#include <unshade/core/bits/sign_extended.hpp>
#include <unshade/core/text/numbers.hpp>
#include <unshade/run/type_layout.hpp>
#include <unshade/run/values.hpp>
#include <unshade/shader/shader.hpp>
#include <unshade/shader/spirv_modules.hpp>
#include <unshade/spirv/module.hpp>

namespace unshade::run {

const shader::SpecializationConstant* specialization_named(const shader::Reflection* reflection, std::string_view name) {
  if (reflection == nullptr) return nullptr;
  const auto& all = reflection->specialization_constants;
  const auto named = std::ranges::find(all, name, &shader::SpecializationConstant::name);
  if (named != all.end()) return &*named;
  const auto id = as_number<std::uint32_t>(name);
  const auto numbered = id ? std::ranges::find(all, *id, &shader::SpecializationConstant::id) : all.end();
  return numbered == all.end() ? nullptr : &*numbered;
}

Result<std::vector<spirv::SpecializedConstant>> specializations_of(const Value& constants, const shader::Reflection& reflection) {
  std::vector<spirv::SpecializedConstant> made;
  if (constants.as_map() == nullptr) return made;
  for (const Value::Member& member : *constants.as_map()) {
    const shader::SpecializationConstant* const one = specialization_named(&reflection, member.key);
    if (one == nullptr) continue;
    const auto wrong = [&](std::string message) {
      return Error{ErrorCode::bad_value, member.key_offset, "constants/" + member.key, std::move(message)};
    };
    for (const shader::SpecializationConstant& other : reflection.specialization_constants)
      if (other.id != one->id && other.name == member.key)
        return wrong("several specialization constants have this name: `" + std::to_string(one->id) + "` and `" + std::to_string(other.id) +
                     '`');
    if (std::ranges::find(made, one->id, &spirv::SpecializedConstant::spec_id) != made.end())
      return wrong("the specialization constant `" + std::to_string(one->id) + "` is given twice");
    const Value::List* const list = member.value.as_list();
    const Value& value = list != nullptr && list->size() == 1 ? list->front() : member.value;
    const ScalarType scalar = scalar_type(one->type);
    auto bits = bits_of(value, scalar.type, "constants/" + member.key);
    if (!bits) return std::move(bits).error();
    if (one->type == shader::BaseType::bool_) *bits = *bits != 0 ? 1 : 0;
    // src: SPIR-V specification, 2.2.1 "Literal": narrow signed integers are sign-extended
    if (scalar.is_signed && scalar.bytes < 4) *bits = static_cast<std::uint64_t>(sign_extended(*bits, scalar.bytes * 8U));
    made.push_back({one->id, *bits});
  }
  std::ranges::sort(made, {}, &spirv::SpecializedConstant::spec_id);
  return made;
}

Result<std::vector<std::byte>> specialized_file(View file, const std::vector<spirv::SpecializedConstant>& values) {
  const auto bytes = file.bytes();
  std::vector<std::byte> made(bytes.begin(), bytes.end());
  const auto opened = shader::open(View(made));
  if (!opened) return opened.error();
  const auto modules = shader::modules_of(*opened);
  if (!modules) return modules.error();
  for (const shader::ModuleBytes& one : *modules) {
    const auto module = spirv::parse(one.bytes);
    if (!module) return module.error();
    const std::vector<std::byte> words = spirv::specialize(*module, values);
    const auto place = static_cast<std::size_t>(one.bytes.bytes().data() - made.data());
    // other values take as many words
    if (place > made.size() || words.size() > made.size() - place)
      return Error{ErrorCode::unsupported, 0, "constants", "the module's specialization constants cannot be set in this file"};
    std::ranges::copy(words, made.begin() + static_cast<std::ptrdiff_t>(place));
  }
  return made;
}

}  // namespace unshade::run
