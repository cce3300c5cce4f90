// Declarations of the user for resources of which the file does not say what they hold, or how they are called.
#include <algorithm>
#include <tuple>
#include <utility>

#include <unshade/core/bits/rounding.hpp>
#include <unshade/core/spelling.hpp>
#include <unshade/shader/hlsl/packing.hpp>

#include "write/source/module_writer.hpp"

namespace unshade::write::source {

using dxcontainer::ResourceKind;

struct Candidate {
  GivenDeclaration of;
  bool has_name = false;      ///< that of the resource
  bool has_register = false;  ///< it states one, the resource's
  bool is_exact = false;      ///< it is as large as the shader declares
  auto rank() const { return std::tuple(has_name, has_register, is_exact); }
};

namespace {

/// Kinds that the same declarations have.
ResourceKind plain_kind(ResourceKind kind) {
  switch (kind) {
    case ResourceKind::uav_structured_with_counter:
    case ResourceKind::uav_append:
    case ResourceKind::uav_consume: return ResourceKind::uav_structured;
    case ResourceKind::tbuffer: return ResourceKind::texture;
    default: return kind;
  }
}

bool holds_members(ResourceKind kind) {
  return kind == ResourceKind::cbuffer || kind == ResourceKind::structured || plain_kind(kind) == ResourceKind::uav_structured;
}

std::string shown_register(const ir::Resource& of) {
  const std::string_view letters = dxcontainer::register_letters(of.kind);
  std::string made = letters.back() + std::to_string(of.first_register);
  if (of.space != 0) made += ", space" + std::to_string(of.space);
  return made;
}

// The first of many, and how many more there are.
std::string shown_list(const std::vector<std::string>& names) {
  constexpr std::size_t kMostShown = 6;
  std::string made;
  for (std::size_t at = 0; at < names.size(); ++at) {
    const bool is_rest = at == kMostShown && at + 1 < names.size();
    made += at == 0 ? "" : at + 1 == names.size() || is_rest ? " and " : ", ";
    if (is_rest) return made + std::to_string(names.size() - at) + " more";
    made += names[at];
  }
  return made;
}

std::string shown_count(std::uint32_t elements) {
  return elements == 0 ? "an unbounded array" : elements == 1 ? "1 element" : std::to_string(elements) + " elements";
}

}  // namespace

// Why a declaration cannot be that of a resource of its kind; nothing: it can.
std::optional<std::string> ModuleWriter::misfit(std::uint32_t resource, const GivenDeclaration& given_one, bool& is_exact) const {
  const ir::Resource& of = module.resources[resource];
  const shader::Reflection& declared = *given_one.reflection;
  if (given_one.resource->bind_count != of.count)
    return "declares " + shown_count(given_one.resource->bind_count) + ", and the shader " + shown_count(of.count);
  is_exact = true;
  if (!holds_members(of.kind)) return std::nullopt;
  const shader::Buffer& buffer = declared.buffers[given_one.resource->buffer];
  std::optional<ByteLayout> layout;
  if (of.kind == ResourceKind::cbuffer) {
    const std::uint32_t bytes = round_up(of.bytes, static_cast<std::uint32_t>(shader::kConstantRegister));
    is_exact = bytes == buffer.size;
    // of DXBC, whose compilers declare what is used
    const bool may_be_larger = reflection != nullptr && reflection->family == shader::Family::dxbc && accesses_.contains(resource);
    if (bytes != 0 && !is_exact && !(may_be_larger && buffer.size > bytes))
      return "has " + std::to_string(buffer.size) + " bytes, and the shader declares " + std::to_string(bytes);
    layout = layout_of(declared, buffer);
  } else {
    if (buffer.size != of.stride)
      return "has elements of " + std::to_string(buffer.size) + " bytes, and those of the shader have " + std::to_string(of.stride);
    ByteLayout element;
    if (const auto root = add_type(element, declared, buffer.variables[0].type, Packing::tight)) {
      element.root = *root;
      layout = std::move(element);
    }
  }
  if (!layout || !target->can_lay_out(*layout)) return "has members that the language cannot place like HLSL";
  if (const auto byte = first_misfit(*layout, resource))
    return "has no member at byte " + std::to_string(*byte) + ", which the shader reads or writes";
  return std::nullopt;
}

// Those that fit; of others that have its register, why not.
std::vector<Candidate> ModuleWriter::candidates(std::uint32_t resource, const shader::Reflection& declared,
                                                std::vector<std::string>& failures) {
  const ir::Resource& of = module.resources[resource];
  const std::string name = own_name(resource);
  std::vector<Candidate> made;
  for (const shader::Resource& one : declared.resources) {
    if (plain_kind(one.kind) != plain_kind(of.kind)) continue;
    Candidate candidate{{&declared, &one}};
    candidate.has_name = !name.empty() && one.name == name;
    candidate.has_register = one.bind_point != shader::kNone;
    if (candidate.has_register && (one.bind_point != of.first_register || one.space != of.space)) continue;
    // others have a register, and nothing else, that tells them apart
    if (!holds_members(of.kind) && (!candidate.has_register || one.dimension != of.dimension)) continue;
    if (const auto why = misfit(resource, candidate.of, candidate.is_exact)) {
      if (candidate.has_register) failures.push_back(shown_register(of) + ": " + quoted(one.name) + ' ' + *why);
      continue;
    }
    made.push_back(candidate);
  }
  return made;
}

void ModuleWriter::match_declarations() {
  if (options.declarations == nullptr) return;
  std::map<std::string, std::vector<std::uint32_t>> users;  // of declarations without a register
  std::vector<std::string> unmatched;
  for (std::uint32_t at = 0; at < module.resources.size(); ++at) {
    const ir::Resource& of = module.resources[at];
    if (of.in_set || of.heap) continue;
    const auto* const row = reflected(of);
    const bool has_buffer = row != nullptr && row->buffer < reflection->buffers.size();
    const bool is_known = holds_members(of.kind) ? has_buffer && !is_made_up(reflection->buffers[row->buffer]) : !own_name(at).empty();
    if (is_known) continue;
    std::vector<std::string> failures;
    std::vector<Candidate> found = candidates(at, options.declarations->usual, failures);
    if (found.empty()) found = candidates(at, options.declarations->native, failures);
    if (found.empty()) {
      if (failures.empty()) unmatched.push_back(shown_register(of));
      // one that has no numbers of 16 bits fits neither way for the same reason
      for (auto failure = failures.begin(); failure != failures.end(); ++failure)
        if (std::find(failures.begin(), failure, *failure) == failure) notes_.push_back(*failure);
      continue;
    }
    const auto best = std::ranges::max(found, {}, &Candidate::rank).rank();
    std::erase_if(found, [&](const Candidate& one) { return one.rank() != best; });
    if (found.size() > 1) {
      std::vector<std::string> names_found;
      for (const Candidate& one : found) names_found.push_back(quoted(one.of.resource->name));
      notes_.push_back(shown_register(of) + ": " + shown_list(names_found) + " match, so none is used: add a register to the right one");
      continue;
    }
    declarations_.emplace(at, found[0].of);
    if (!found[0].has_register && !found[0].has_name) users[found[0].of.resource->name].push_back(at);
  }
  for (const auto& [declared, resources] : users) {
    if (resources.size() < 2) continue;
    std::vector<std::string> registers;
    for (const std::uint32_t at : resources) {
      registers.push_back(shown_register(module.resources[at]));
      declarations_.erase(at);
    }
    notes_.push_back(shown_list(registers) + ": " + quoted(declared) + " matches each, so it is not used: add a register to it");
  }
  if (declarations_.empty() && notes_.empty() && !unmatched.empty())
    notes_.push_back("no declaration has the register, size and members of " + shown_list(unmatched));
}

}  // namespace unshade::write::source
