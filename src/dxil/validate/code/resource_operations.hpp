// Operations on resources: what they may be of, and how many operands each kind of resource takes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include <unshade/dxil/program/handles.hpp>

#include "dxil/validate/module.hpp"

namespace unshade::dxil::validate {

class ResourceOperationChecker {
 public:
  explicit ResourceOperationChecker(const ModuleCheck& check);

  /// A call of an operation with all of its operands; `at` is the call, in Module::instructions.
  void check(std::uint32_t at, const Call& call);
  /// A call that makes a handle: whether there is what it is made for.
  void check_maker(std::uint32_t at, const Call& call);
  /// The handles that any operation takes.
  void check_handles(std::uint32_t at, const Call& call);
  /// A part of an operation's result, which may be one that its resource does not have.
  void check_part(const Body& body, std::uint32_t at, const Instruction& i);

 private:
  void add(const Rule& rule, const Call& call, std::string_view what) const;
  std::optional<HandleResource> view_of(const Call& call, Parameter parameter = 0) const {
    return handles_.find(*body_, call.argument(parameter));
  }

  bool is_bare(const Value& value) const;
  void check_sampler(const Call& call, bool comparison);
  void check_sample(const Call& call, bool comparison);
  void check_gather(const Call& call, bool comparison);
  void check_level(const Call& call);
  void check_coordinates(const Call& call, std::size_t count, std::size_t most);
  void check_offsets(const Call& call, const std::optional<HandleResource>& view);
  void check_offset(const Call& call, std::size_t parameter);
  void check_texture_load(const Call& call);
  void check_store(const Call& call);
  void check_buffer(const Call& call);
  void check_buffer_kind(const Call& call, const HandleResource& view);
  void check_constant_buffer(const Call& call);
  void check_counter(const Call& call);
  void check_dimensions(const Call& call);
  void check_status(const Call& call);
  void check_scene(const Call& call);

  const ModuleCheck& c_;
  const Module& m_;
  HandleFinder handles_;
  std::uint32_t dimensions_ = kNone;  ///< the type of what GetDimensions gives
  std::uint32_t handle_ = kNone, node_handle_ = kNone, record_handle_ = kNone;
  std::unordered_map<std::uint64_t, bool> steps_up_;  ///< by range of the view: how its counter is stepped
  const Body* body_ = nullptr;
  std::uint32_t at_ = 0;
};

}  // namespace unshade::dxil::validate
