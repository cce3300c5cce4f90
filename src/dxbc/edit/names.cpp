// Other names in signatures, resource definitions and class linkage.
#include <algorithm>
#include <deque>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include <unshade/core/text/lowered.hpp>
#include <unshade/core/text/new_names.hpp>
#include <unshade/core/text/semantic_name.hpp>
#include <unshade/dxbc/class_linkage.hpp>
#include <unshade/dxbc/debug_info.hpp>
#include <unshade/dxbc/edit.hpp>
#include <unshade/dxbc/level9.hpp>
#include <unshade/dxbc/rdef.hpp>
#include <unshade/dxcontainer/signature.hpp>

#include "dxbc/parts/class_linkage_layout.hpp"
#include "dxbc/parts/rdef_layout.hpp"

namespace unshade::dxbc {

using dxcontainer::Container;
using dxcontainer::fourcc;
using dxcontainer::Part;
using dxcontainer::Signature;
using dxcontainer::SignatureElement;

namespace {

// --- names ---------------------------------------------------------------------------------------------------------------------------

bool is_system_name(std::string_view semantic) { return same_letters(semantic.substr(0, 3), "sv_"); }

/// A request whose name was found, or not yet.
struct Request {
  Rename rename;
  bool found = false;
};

Error missing(const Rename& rename, std::string path) { return {ErrorCode::missing, 0, std::move(path), "no name " + quoted(rename.from)}; }

Error refused(std::uint64_t offset, std::string path, std::string message) {
  return {ErrorCode::bad_value, offset, std::move(path), std::move(message)};
}

bool same_bytes(const std::vector<std::byte>& bytes, View part) {
  return std::equal(bytes.begin(), bytes.end(), part.bytes().begin(), part.bytes().end());
}

// --- signatures ------------------------------------------------------------------------------------------------------------------------

NameKind side_of(std::uint32_t kind) {
  switch (kind) {
    case fourcc("ISGN"):
    case fourcc("ISG1"): return NameKind::input;
    case fourcc("PCSG"):
    case fourcc("PSG1"): return NameKind::patch;
    default: return NameKind::output;
  }
}

/// The signature as its compiler would write it anew: nothing has a place.
Signature without_places(Signature signature) {
  signature.elements.offset = kUnplaced;
  signature.size = kUnplaced;
  for (SignatureElement& element : signature.elements) element.semantic.offset = kUnplaced;
  return signature;
}

class SignatureRenamer {
 public:
  explicit SignatureRenamer(const Part& part, Signature& signature) : part_(part), signature_(signature), old_(signature.elements.items) {}

  /// Whether anything changes.
  Result<bool> run(std::span<Request* const> requests) {
    bool changed = false;
    for (std::size_t i = 0; i < old_.size(); ++i) {
      const Request* by = nullptr;
      for (Request* const request : requests) {
        if (!matches(old_[i], request->rename.from)) continue;
        request->found = true;
        if (by != nullptr && has_same_name(i, request->rename.to)) continue;
        if (by != nullptr)
          return refused(part_.data.file_offset(), path(i), renamed_twice(semantic_text(old_[i]), by->rename.to, request->rename.to));
        by = request;
        auto done = apply(i, request->rename.to);
        if (!done) return std::move(done).error();
        changed |= *done;
      }
    }
    if (changed) {
      if (auto free = check_doubles(); !free) return std::move(free).error();
    }
    return changed;
  }

 private:
  std::string path(std::size_t i) const { return std::string(part_.name()) + "/elements[" + std::to_string(i) + "]/semantic"; }

  static std::string semantic_text(const SignatureElement& element) {
    return std::string(element.semantic.text) + std::to_string(element.semantic_index);
  }

  static bool matches(const SignatureElement& element, std::string_view from) {
    return means_semantic(from, element.semantic.text, element.semantic_index);
  }

  /// Whether an element has the name already that a request gives it.
  bool has_same_name(std::size_t i, std::string_view to) const {
    const SemanticName wanted = split_semantic(to);
    const SignatureElement& element = signature_.elements[i];
    return wanted.name == element.semantic.text && wanted.index.value_or(old_[i].semantic_index) == element.semantic_index;
  }

  Result<bool> apply(std::size_t i, std::string_view to) {
    const SemanticName wanted = split_semantic(to);
    SignatureElement& element = signature_.elements[i];
    const std::uint32_t index = wanted.index.value_or(element.semantic_index);
    if (wanted.name == element.semantic.text && index == element.semantic_index) return false;
    if (!is_identifier(wanted.name)) return refused(part_.data.file_offset(), path(i), quoted(to) + " is not a valid semantic");
    if (wanted.is_beyond) return refused(part_.data.file_offset(), path(i), "the index of " + quoted(to) + " exceeds 4294967295");
    if (element.system_value != dxcontainer::SystemValue::undefined || is_system_name(element.semantic.text))
      return refused(part_.data.file_offset(), path(i), quoted(element.semantic.text) + " is a system value and cannot be renamed");
    if (is_system_name(wanted.name))
      return refused(part_.data.file_offset(), path(i), quoted(to) + " is the name of a system value that the program does not declare");
    if (wanted.name != element.semantic.text) element.semantic = {wanted.name, kUnplaced};
    element.semantic_index = index;
    return true;
  }

  /// Names that are duplicate now and were not before.
  Result<void> check_doubles() const {
    using Key = std::tuple<std::uint32_t, std::string, std::uint32_t>;
    const auto key_of = [](const SignatureElement& e) { return Key{e.stream, lowered(e.semantic.text), e.semantic_index}; };
    std::map<Key, std::size_t> first;
    for (std::size_t i = 0; i < signature_.elements.size(); ++i) {
      const auto [at, is_new] = first.try_emplace(key_of(signature_.elements[i]), i);
      if (is_new || key_of(old_[at->second]) == key_of(old_[i])) continue;
      return refused(part_.data.file_offset(), path(i),
                     quoted(signature_.elements[i].semantic.text) + " with index " + std::to_string(signature_.elements[i].semantic_index) +
                         " would occur twice");
    }
    return {};
  }

  const Part& part_;
  Signature& signature_;
  std::vector<SignatureElement> old_;
};

Result<void> rename_semantics(const Container& container, std::span<Request* const> requests, PartEdits& edits) {
  for (std::size_t i = 0; i < container.parts.size(); ++i) {
    const Part& part = container.parts[i];
    if (!dxcontainer::is_signature(part.fourcc)) continue;
    std::vector<Request*> here;
    for (Request* const request : requests)
      if (request->rename.what == side_of(part.fourcc)) here.push_back(request);
    if (here.empty()) continue;
    auto signature = dxcontainer::parse_signature(part);
    if (!signature) return std::move(signature).error();
    const bool is_compilers = same_bytes(write_signature(without_places(*signature)), part.data);
    auto changed = SignatureRenamer(part, *signature).run(here);
    if (!changed) return std::move(changed).error();
    if (*changed) edits.parts.push_back({i, write_signature(is_compilers ? without_places(*signature) : *signature)});
  }
  return {};
}

// --- resource definitions --------------------------------------------------------------------------------------------------------------

void forget_places(Rdef& rdef) {
  rdef.constant_buffers.offset = rdef.bindings.offset = kUnplaced;
  rdef.creator.offset = kUnplaced;
  // an absent text keeps its offset, 0, which is not that of an empty one
  const auto forget = [](String& text) {
    if (!text.text.empty() || text.offset != 0) text.offset = kUnplaced;
  };
  for (Binding& binding : rdef.bindings) forget(binding.name);
  for (ConstantBuffer& buffer : rdef.constant_buffers) {
    forget(buffer.name);
    buffer.variables.offset = kUnplaced;
    for (Variable& variable : buffer.variables) {
      forget(variable.name);
      variable.default_value.offset = kUnplaced;
    }
  }
  for (Type& type : rdef.types) {
    type.offset = kUnplaced;
    type.members.offset = type.interfaces.offset = kUnplaced;
    forget(type.name);
    for (Member& member : type.members) forget(member.name);
  }
}

/// As fxc would write it anew; nothing if the header has another length than fxc gives it, which may be any number.
std::vector<std::byte> written_afresh(Rdef rdef) {
  if (rdef.strides.header != standard_strides(rdef.magic).header) return {};
  forget_places(rdef);
  place_as_fxc(rdef);
  return write_rdef(rdef);
}

class DefinitionRenamer {
 public:
  DefinitionRenamer(const Part& part, Rdef& rdef, std::deque<std::string>& store) : part_(part), rdef_(rdef), store_(store) {
    for (const Binding& binding : rdef.bindings) old_bindings_.push_back(binding.name.text);
    for (const ConstantBuffer& buffer : rdef.constant_buffers) old_buffers_.push_back(buffer.name.text);
  }

  /// Whether anything changes.
  Result<bool> run(std::span<Request* const> requests) {
    bool changed = false;
    for (Request* const request : requests) {
      auto done = request->rename.what == NameKind::resource ? resource(*request) : variable(*request);
      if (!done) return std::move(done).error();
      changed |= *done;
    }
    if (changed) {
      if (auto free = check_doubles(); !free) return std::move(free).error();
    }
    return changed;
  }

  /// Variables that have got other names: old and new.
  const std::map<std::string_view, std::string_view>& variables() const { return renamed_variables_; }

 private:
  std::string path(const char* what, std::size_t i) const {
    return std::string(part_.name()) + '/' + what + '[' + std::to_string(i) + "]/name";
  }

  /// The new name: of `tex[2]` too, if all of `tex` is renamed.
  std::optional<std::string_view> renamed(std::string_view name, const Rename& rename) {
    if (name == rename.from) return rename.to;
    if (name.size() > rename.from.size() && name.starts_with(rename.from) && name[rename.from.size()] == '[')
      return store_.emplace_back(std::string(rename.to) + std::string(name.substr(rename.from.size())));
    return std::nullopt;
  }

  Result<bool> resource(Request& request) {
    bool changed = false;
    const auto one = [&](std::string_view old, String& name, const char* what, std::size_t i) -> Result<void> {
      const auto to = renamed(old, request.rename);
      if (!to) return {};
      request.found = true;
      const auto [by, is_new] = renamed_by_.try_emplace(&name, &request.rename);
      // The resource and the variable that is all of it may both be given the name.
      if (!is_new && by->second->what != request.rename.what && by->second->to == request.rename.to) return {};
      if (!is_new) return refused(part_.data.file_offset(), path(what, i), renamed_twice(old, by->second->to, request.rename.to));
      if (*to == old) return {};
      if (!is_dotted_name(*to)) return refused(part_.data.file_offset(), path(what, i), quoted(*to) + " is not a valid name in HLSL");
      name = {*to, kUnplaced};
      changed = true;
      return {};
    };
    for (std::size_t i = 0; i < rdef_.bindings.size(); ++i)
      if (auto done = one(old_bindings_[i], rdef_.bindings[i].name, "bindings", i); !done) return std::move(done).error();
    for (std::size_t i = 0; i < rdef_.constant_buffers.size(); ++i) {
      ConstantBuffer& buffer = rdef_.constant_buffers[i];
      if (auto done = one(old_buffers_[i], buffer.name, "constant_buffers", i); !done) return std::move(done).error();
      if (buffer.name.text != old_buffers_[i]) rename_whole(buffer, old_buffers_[i], request.rename.to);
    }
    return changed;
  }

  /// `ConstantBuffer<Type> name` has one variable, of its own name, which is all of it. observed: fxc, shader model 5.1
  bool is_whole(const ConstantBuffer& buffer, std::string_view old) const {
    if (rdef_.magic != kRdefMagic51 || buffer.variables.size() != 1) return false;
    const Variable& variable = buffer.variables[0];
    const bool is_struct = variable.type < rdef_.types.size() && rdef_.types[variable.type].is_struct();
    return is_struct && old_name(variable) == old.substr(0, old.find('['));
  }

  void rename_whole(ConstantBuffer& buffer, std::string_view old, std::string_view to) {
    if (!is_whole(buffer, old)) return;
    Variable& variable = buffer.variables[0];
    if (variable.name.text != old_name(variable)) return;
    old_variables_.emplace(&variable, variable.name.text);
    variable.name = {to.substr(0, to.find('[')), kUnplaced};
  }

  Result<bool> variable(Request& request) {
    const std::string_view from = request.rename.from;
    Variable* found = nullptr;
    std::size_t in = 0;
    for (std::size_t b = 0; b < rdef_.constant_buffers.size(); ++b) {
      const std::string_view buffer = old_buffers_[b];
      for (std::size_t v = 0; v < rdef_.constant_buffers[b].variables.size(); ++v) {
        Variable& variable = rdef_.constant_buffers[b].variables[v];
        const std::string_view name = old_name(variable);
        const bool qualified = from.size() == buffer.size() + 1 + name.size() && from.starts_with(buffer) && from[buffer.size()] == '.' &&
                               from.ends_with(name);
        if (name != from && !qualified) continue;
        if (found != nullptr)
          return refused(part_.data.file_offset(), path("constant_buffers", b),
                         "several buffers have a variable " + quoted(from) + ": give it as buffer.name");
        found = &variable;
        in = b;
      }
    }
    if (found == nullptr) return false;
    request.found = true;
    const std::string_view old = old_name(*found);
    const std::string_view buffer = old_buffers_[in];
    // both names may have the buffer in front
    const auto plain = [&](const Rename& rename) {
      std::string_view to = rename.to;
      if (rename.from != old && to.size() > buffer.size() && to.starts_with(buffer) && to[buffer.size()] == '.')
        to.remove_prefix(buffer.size() + 1);
      return to;
    };
    const std::string_view to = plain(request.rename);
    if (const auto [by, is_new] = renamed_by_.try_emplace(&found->name, &request.rename); !is_new) {
      if (plain(*by->second) == to) return false;
      return refused(part_.data.file_offset(), path("constant_buffers", in), renamed_twice(old, by->second->to, request.rename.to));
    }
    if (is_whole(rdef_.constant_buffers[in], buffer) && is_identifier(to)) {
      derived_.push_back({{NameKind::variable, std::string(old), std::string(to)}});
      return resource(derived_.back());
    }
    if (to == old) return false;
    if (!is_identifier(to))
      return refused(part_.data.file_offset(), path("constant_buffers", in), quoted(to) + " is not a valid name in HLSL");
    old_variables_.emplace(found, old);
    renamed_variables_.emplace(old, to);
    found->name = {to, kUnplaced};
    return true;
  }

  /// Of a variable before any request was met.
  std::string_view old_name(const Variable& variable) const {
    const auto found = old_variables_.find(&variable);
    return found != old_variables_.end() ? found->second : variable.name.text;
  }

  /// Names that are duplicate now and were not before. A texture and a sampler may share one, as may a binding and its buffer.
  Result<void> check_doubles() const {
    std::map<std::string_view, std::size_t> first;
    for (std::size_t i = 0; i < rdef_.bindings.size(); ++i) {
      const auto [at, is_new] = first.try_emplace(rdef_.bindings[i].name.text, i);
      if (is_new || old_bindings_[at->second] == old_bindings_[i]) continue;
      return refused(part_.data.file_offset(), path("bindings", i), quoted(rdef_.bindings[i].name.text) + " is already in use");
    }
    // Variables of all buffers and what is bound are in one scope, but for the buffers themselves. An element of a structured buffer is in
    // no scope.
    std::map<std::string_view, bool> variables;  // whether they are renamed
    std::map<std::string_view, const Variable*> names;
    for (std::size_t b = 0; b < rdef_.constant_buffers.size(); ++b) {
      const ConstantBuffer& buffer = rdef_.constant_buffers[b];
      if (buffer.kind == BufferKind::resource_bind_info) continue;
      for (const Variable& variable : buffer.variables) {
        variables[variable.name.text] |= old_variables_.contains(&variable);
        const auto [same, is_new] = names.try_emplace(variable.name.text, &variable);
        if (!is_new && old_name(*same->second) != old_name(variable))
          return refused(part_.data.file_offset(), path("constant_buffers", b), quoted(variable.name.text) + " is already in use");
      }
    }
    for (std::size_t i = 0; i < rdef_.bindings.size(); ++i) {
      const Binding& binding = rdef_.bindings[i];
      if (binding.kind == ResourceKind::cbuffer || binding.kind == ResourceKind::tbuffer) continue;
      const std::string_view name = binding.name.text.substr(0, binding.name.text.find('['));
      const auto same = variables.find(name);
      if (same != variables.end() && (same->second || binding.name.text != old_bindings_[i]))
        return refused(part_.data.file_offset(), path("bindings", i), quoted(name) + " is already in use");
    }
    std::map<std::string_view, std::size_t> buffers;
    for (std::size_t b = 0; b < rdef_.constant_buffers.size(); ++b) {
      const ConstantBuffer& buffer = rdef_.constant_buffers[b];
      const auto [at, is_new] = buffers.try_emplace(buffer.name.text, b);
      if (!is_new && old_buffers_[at->second] != old_buffers_[b])
        return refused(part_.data.file_offset(), path("constant_buffers", b), quoted(buffer.name.text) + " is already in use");
    }
    return {};
  }

  const Part& part_;
  Rdef& rdef_;
  std::deque<std::string>& store_;
  std::vector<std::string_view> old_bindings_;
  std::vector<std::string_view> old_buffers_;
  std::map<const Variable*, std::string_view> old_variables_;
  std::map<std::string_view, std::string_view> renamed_variables_;
  std::map<const String*, const Rename*> renamed_by_;
  std::deque<Request> derived_;  // of the resources that variables are all of
};

/// Class instances are variables of a buffer: `light`, or `light[1]` of an array.
Result<void> rename_instances(const Part& part, std::size_t index, const std::map<std::string_view, std::string_view>& variables,
                              std::deque<std::string>& store, PartEdits& edits) {
  auto linkage = parse_class_linkage(part);
  if (!linkage) return std::move(linkage).error();
  const auto afresh = [](ClassLinkage l) {
    l.instances.offset = l.types.offset = l.slots.offset = kUnplaced;
    for (ClassInstance& instance : l.instances) instance.name.offset = kUnplaced;
    for (ClassType& type : l.types) type.name.offset = kUnplaced;
    for (InterfaceSlot& slot : l.slots) slot.types.offset = slot.tables.offset = kUnplaced;
    place_as_fxc(l);
    return write_class_linkage(l);
  };
  const bool is_compilers = same_bytes(afresh(*linkage), part.data);
  bool changed = false;
  for (ClassInstance& instance : linkage->instances) {
    const std::string_view name = instance.name.text;
    const std::size_t base = std::min(name.find('['), name.size());
    const auto found = variables.find(name.substr(0, base));
    if (found == variables.end() || found->first == found->second) continue;
    instance.name = {store.emplace_back(std::string(found->second) + std::string(name.substr(base))), kUnplaced};
    changed = true;
  }
  if (changed) edits.parts.push_back({index, is_compilers ? afresh(*linkage) : write_class_linkage(*linkage)});
  return {};
}

Result<void> rename_definitions(const Container& container, std::span<Request* const> requests, PartEdits& edits) {
  std::deque<std::string> store;
  std::map<std::string_view, std::string_view> variables;
  bool has_definitions = false;
  for (std::size_t i = 0; i < container.parts.size(); ++i) {
    const Part& part = container.parts[i];
    if (part.fourcc != fourcc("RDEF") || has_definitions) continue;
    has_definitions = true;
    auto rdef = parse_rdef(part);
    if (!rdef) return std::move(rdef).error();
    const bool is_compilers = same_bytes(written_afresh(*rdef), part.data);
    DefinitionRenamer renamer(part, *rdef, store);
    auto changed = renamer.run(requests);
    if (!changed) return std::move(changed).error();
    variables.insert(renamer.variables().begin(), renamer.variables().end());
    if (*changed) edits.parts.push_back({i, is_compilers ? written_afresh(*rdef) : write_rdef(*rdef)});
  }
  if (!has_definitions)
    return Error{ErrorCode::missing, container.file.file_offset(), "RDEF",
                 "the file has no RDEF, which contains the names of resources and variables"};
  if (!variables.empty()) {
    for (std::size_t i = 0; i < container.parts.size(); ++i) {
      if (container.parts[i].fourcc != fourcc("IFCE")) continue;
      if (auto done = rename_instances(container.parts[i], i, variables, store, edits); !done) return done;
      break;
    }
  }
  return {};
}

}  // namespace

Result<PartEdits> rename(const Container& container, std::span<const Rename> renames) {
  std::vector<Request> requests;
  requests.reserve(renames.size());
  for (const Rename& rename : renames) {
    if (rename.what == NameKind::entry || rename.what == NameKind::node)
      return Error{ErrorCode::unsupported, container.file.file_offset(), "entry",
                   "a token program does not store the name of its entry point"};
    requests.push_back({rename});
  }
  std::vector<Request*> semantics;
  std::vector<Request*> definitions;
  for (Request& request : requests) {
    const bool is_definition = request.rename.what == NameKind::resource || request.rename.what == NameKind::variable;
    (is_definition ? definitions : semantics).push_back(&request);
  }
  PartEdits edits;
  if (!semantics.empty()) {
    if (auto done = rename_semantics(container, semantics, edits); !done) return std::move(done).error();
  }
  if (!definitions.empty()) {
    if (auto done = rename_definitions(container, definitions, edits); !done) return std::move(done).error();
  }
  for (const Request& request : requests)
    if (!request.found)
      return missing(request.rename,
                     request.rename.what == NameKind::resource || request.rename.what == NameKind::variable ? "RDEF" : "signatures");
  std::ranges::sort(edits.parts, {}, &EditedPart::index);
  if (edits.parts.empty()) return edits;
  for (const Part& part : container.parts) {
    if (is_debug_part(part.fourcc)) edits.notes.push_back(std::string(part.name()) + " keeps the old names, which are those of the source");
    if (is_level9(part.fourcc) && !definitions.empty())
      edits.notes.push_back(std::string(part.name()) + " keeps the old names in its comments, which runtimes ignore");
  }
  return edits;
}

}  // namespace unshade::dxbc
