// The steps in which the reflection of a DXIL container is put together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include <unshade/core/limits.hpp>
#include <unshade/core/result.hpp>
#include <unshade/dxil/metadata.hpp>
#include <unshade/dxil/program/vocabulary.hpp>
#include <unshade/dxil/psv.hpp>
#include <unshade/dxil/rdat.hpp>
#include <unshade/shader/reflection.hpp>

namespace unshade::shader::reflection {

/// Records and names of a file may be shared, so that a few bytes stand for very many: what the model holds is paid for here, and an error
/// once it is out of proportion.
class ReflectionBudget {
 public:
  explicit ReflectionBudget(View file)
      : offset_(file.file_offset()), left_(file.size() * limits::kReflectedPerByte + limits::kReflectedBase) {}

  /// Pays for a record with a name. False once all is spent.
  bool spend(std::string_view name = {}, std::size_t records = 1) {
    constexpr std::size_t kRecord = 4;  // what a record costs, in characters of a name
    const std::size_t cost = records > left_ / kRecord ? left_ + 1 : records * kRecord + name.size();
    if (cost > left_) {
      exceeded_ = true;
      left_ = 0;
      return false;
    }
    left_ -= cost;
    return true;
  }
  bool exceeded() const { return exceeded_; }
  Error error() const { return {ErrorCode::limit, offset_, "reflection", "the reflection exceeds its limit for the size of the file"}; }

 private:
  std::uint64_t offset_;
  std::size_t left_;
  bool exceeded_ = false;
};

/// Resources, buffers and types, as a module's metadata has them. If names were stripped, they are generated, and `rebuilt` is set.
void add_definitions(Reflection& reflection, const dxil::ProgramMetadata& metadata, ReflectionBudget& budget);
/// Which variables of constant buffers the program's code reads. Compilers up to validator version 1.4 do not state it.
void add_usage(Reflection& reflection, const dxil::ProgramMetadata& metadata);
/// Resources as a runtime knows them, if no module is left.
void add_definitions(Reflection& reflection, const dxil::Psv& psv, ReflectionBudget& budget);
void add_definitions(Reflection& reflection, const dxil::Rdat& rdat, ReflectionBudget& budget);

/// The entry point of a module with its stage's facts and the signatures that metadata has.
EntryPoint entry_of(const dxil::ProgramMetadata& metadata, const dxil::EntryPoint& from, ReflectionBudget& budget);
/// The signatures of PSV0, for where no part has them.
void add_signatures(EntryPoint& entry, const dxil::Psv& psv, ReflectionBudget& budget);
/// What PSV0 says of a stage; if both say it, the metadata's is used.
void add_runtime_info(EntryPoint& entry, const dxil::Psv& psv);

/// The functions of a library, each an entry point, sorted by name as ID3D12LibraryReflection has them. `metadata` may be null, and so may
/// `rdat`. The resources of the reflection have to be there.
void add_functions(Reflection& reflection, const dxil::ProgramMetadata* metadata, const dxil::Rdat* rdat, ReflectionBudget& budget);

/// The subobjects of a library. Root signatures that cannot be read stay bytes.
void add_subobjects(Reflection& reflection, const dxil::Rdat& rdat, ReflectionBudget& budget);

}  // namespace unshade::shader::reflection
