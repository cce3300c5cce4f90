// The metadata of a DXIL module: whether what DXIL needs is there, and has its shape.
// src: DXC lib/DxilValidation/DxilValidation.cpp, ValidateMetadata; DxilMetadataHelper.h
#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <string>

#include <unshade/dxil/parts.hpp>

#include "dxil/module/metadata_tuple.hpp"
#include "dxil/program/property_tags.hpp"
#include "dxil/validate/module.hpp"

namespace unshade::dxil::validate {

namespace {

constexpr std::string_view kTarget = "dxil-ms-dx";
/// The newest of each that is known.
constexpr std::uint32_t kNewestMinor = 10;
/// The shader model of libraries that are linked later. src: DXC DxilShaderModel.h, kOfflineMinor
constexpr std::uint32_t kOfflineMinor = 15;

/// Named metadata that DXIL has, and what compilers add and validation never sees: it is stripped before.
constexpr std::string_view kKnown[] = {"dx.version",
                                       "dx.shaderModel",
                                       "dx.entryPoints",
                                       "dx.resources",
                                       "dx.typeAnnotations",
                                       "dx.valver",
                                       "dx.viewIdState",
                                       "dx.dxrPayloadAnnotations",
                                       "dx.targetTypes",
                                       "dx.rootSignature",
                                       "dx.intermediateOptions",
                                       "dx.subobjects",
                                       "dx.counters",
                                       "dx.source.contents",
                                       "dx.source.defines",
                                       "dx.source.mainFileName",
                                       "dx.source.args",
                                       "dx.binding.table",
                                       "llvm.ident",
                                       "llvm.module.flags"};
constexpr std::string_view kDebug = "llvm.dbg.";

// Operands of lists.
constexpr std::size_t kVersionFields = 2, kModelFields = 3, kEntryFields = 5, kSignatureFields = 3, kElementFields = 11, kResourceLists = 4;
constexpr std::size_t kResourceFields[kResourceLists] = {9, 11, 8, 8};
constexpr std::size_t kElementRows = 4, kElementProperties = 10;
/// How many tags there are: of elements (stream, symbol, dynamic mask, usage mask), and of resources by class.
constexpr std::uint64_t kElementTags = 4, kResourceTags[kResourceLists] = {2, 5, 1, 0};
/// Tags of entries with a number after them, and those with a list; a root signature is neither. src: DXC DxilMetadataHelper.h
constexpr std::uint32_t bits_of(std::initializer_list<unsigned> tags) {
  std::uint32_t bits = 0;
  for (const unsigned tag : tags) bits |= std::uint32_t{1} << tag;
  return bits;
}
constexpr std::uint64_t kPropertyTags = 25;
constexpr std::uint32_t kNumberTags = bits_of({0, 6, 7, 8, 13, 14, 16, 19, 24});
constexpr std::uint32_t kListTags = bits_of({1, 2, 3, 4, 5, 9, 10, 11, 15, 17, 18, 20, 21, 22, 23});
/// Tags of inputs and outputs of nodes, and of their records.
constexpr std::uint64_t kNodeIoTags = 7, kRecordTag = 2, kRecordTags = 3, kDispatchGridTag = 1;
constexpr std::size_t kDispatchGridFields = 3;
constexpr std::size_t kAnnotationFields = 3;
constexpr std::uint64_t kPayloadAnnotations = 2;

class MetadataChecker {
 public:
  explicit MetadataChecker(const ModuleCheck& check) : c_(check), m_(check.module) {}

  void check() {
    if (m_.text(m_.triple) != kTarget)
      c_.add(rules::kMetaTarget, "triple",
             "expected `" + std::string(kTarget) + "`, found `" + std::string(m_.text(m_.triple).substr(0, 64)) + '`');
    check_names();
    check_compilers();
    check_versions();
    check_entries();
    check_resource_lists();
    check_annotations();
    for (const Body& body : m_.bodies)
      for (std::uint32_t k = body.attachments.first; k < body.attachments.end(); ++k) {
        const Attachment& attachment = m_.attachments[k];
        if (attachment.instruction != kNone) break;
        if (m_.text(m_.metadata_kinds[attachment.kind].name) != "dbg")
          c_.add_function(rules::kMetaUsed, body.function, "has metadata attachments");
      }
  }

 private:
  const NamedMetadata* list(std::string_view name) const { return module::find_named_metadata(m_, name); }
  module::MetadataTuple tuple(std::uint64_t id) const { return module::MetadataTuple::of(m_, &m_.metadata[id]); }
  void malformed(const std::string& path, std::string why) const { c_.add(rules::kMetaWellFormed, path, std::move(why)); }

  void check_names() {
    for (const NamedMetadata& named : m_.named_metadata) {
      const std::string_view name = m_.text(named.name);
      if (std::find(std::begin(kKnown), std::end(kKnown), name) != std::end(kKnown) || name.starts_with(kDebug)) continue;
      constexpr std::size_t kMost = 64;
      c_.add(rules::kMetaKnown, std::string(name.substr(0, kMost)), "is not metadata of DXIL");
    }
  }

  /// Compilers are stated by a text each. src: LLVM 3.7 lib/IR/Verifier.cpp, visitModuleIdents
  void check_compilers() {
    const NamedMetadata* const named = list("llvm.ident");
    if (named == nullptr) return;
    const auto nodes = m_.metadata_operands_of(named->nodes);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const module::MetadataTuple ident = tuple(nodes[i]);
      if (ident.size() != 1 || ident.at(0) == nullptr || ident.at(0)->kind != MetadataKind::string)
        malformed(path_of("llvm.ident", i), "is not a string");
    }
  }

  /// The one tuple of a list, with so many numbers; nothing if it is not so, which is noted.
  std::optional<module::MetadataTuple> only(std::string_view name, std::size_t fields) {
    const NamedMetadata* const named = list(name);
    if (named == nullptr) return std::nullopt;
    const auto nodes = m_.metadata_operands_of(named->nodes);
    if (nodes.size() == 1 && tuple(nodes[0]).size() == fields) return tuple(nodes[0]);
    malformed(std::string(name), "does not have " + std::to_string(fields) + " operands");
    return std::nullopt;
  }

  void check_versions() {
    const ProgramMetadata& p = c_.program;
    for (const char* name : {"dx.version", "dx.shaderModel", "dx.entryPoints"})
      if (list(name) == nullptr) c_.add(rules::kMetaRequired, name, "is missing");
    if (const auto version = only("dx.version", kVersionFields)) {
      if (!version->integer(0) || !version->integer(1)) {
        malformed("dx.version", "expected two integers");
      } else if (p.dxil_major != 1 || (p.dxil_minor > kNewestMinor && p.dxil_minor != kOfflineMinor)) {
        c_.add(rules::kMetaVersionSupported, "dx.version", std::to_string(p.dxil_major) + '.' + std::to_string(p.dxil_minor));
      }
    }
    if (const auto version = only("dx.valver", kVersionFields)) {
      if (!version->integer(0) || !version->integer(1)) {
        malformed("dx.valver", "expected two integers");
      } else if (p.validator_major != 1 || p.validator_minor > kNewestMinor) {  // dxc writes 0.0 into what is not to be validated
        c_.add(rules::kMetaVersionSupported, "dx.valver", std::to_string(p.validator_major) + '.' + std::to_string(p.validator_minor));
      }
    }
    const auto model = only("dx.shaderModel", kModelFields);
    if (!model) return;
    if (model->text(0).empty() || !model->integer(1) || !model->integer(2))
      return malformed("dx.shaderModel", "expected a string and two integers");
    const std::string name = std::string(p.profile.substr(0, 8)) + '_' + std::to_string(p.major) + '_' + std::to_string(p.minor);
    const bool is_offline = p.kind == ShaderKind::library && p.minor == kOfflineMinor;
    if (p.kind == ShaderKind::invalid || p.major != 6 || (p.minor > kNewestMinor && !is_offline)) {
      c_.add(rules::kSmName, "dx.shaderModel", name);
    } else if (p.present && p.minor != p.dxil_minor && !is_offline) {
      c_.add(rules::kSmDxilVersion, "dx.version", name + " with DXIL " + std::to_string(p.dxil_major) + '.' + std::to_string(p.dxil_minor));
    }
  }

  static std::string path_of(const char* name, std::size_t i) { return std::string(name) + '[' + std::to_string(i) + ']'; }

  // Lists may be shared: how many are looked at is bounded by how many there are.
  void check_entries() {
    const NamedMetadata* const named = list("dx.entryPoints");
    if (named == nullptr) return;
    const auto nodes = m_.metadata_operands_of(named->nodes);
    if (nodes.empty()) c_.add(rules::kMetaEntryFunction, "dx.entryPoints", "no entry point");
    budget_ = m_.metadata_operands.size() + nodes.size() + kBase;
    for (std::size_t i = 0; i < nodes.size() && budget_ != 0; ++i) {
      const module::MetadataTuple entry = tuple(nodes[i]);
      const std::string path = path_of("dx.entryPoints", i);
      if (entry.size() != kEntryFields) {
        malformed(path, std::to_string(entry.size()) + " operands");
        continue;
      }
      const std::uint32_t function = entry.value(0);
      const bool is_function = function < m_.values.size() && m_.values[function].kind == ValueKind::function;
      if (is_function) {
        // A hull shader may leave its control points as they are.
        const bool is_hull =
            i < c_.program.entries.size() && read_entry_properties(c_.program, c_.program.entries[i]).kind == ShaderKind::hull;
        if (m_.functions[m_.values[function].index].body == kNone && !is_hull)
          c_.add(rules::kMetaEntryFunction, path, "the function is not defined");
      } else if (!c_.is_library() || i != 0) {
        c_.add(rules::kMetaEntryFunction, path, "does not refer to a function");
      }
      if (is_function && entry.at(4) == nullptr && !c_.is_library() && needs_properties())
        c_.add(rules::kMetaNoEntryPropsForEntry, path, "has no properties");
      check_signatures(entry, path);
      check_resources(entry.tuple(3), path);
      check_properties(entry, path);
    }
  }

  /// The lists of resources are stated twice. src: DXC DxilMetadataHelper.cpp, EmitDxilResources; DxilModule.cpp, EmitDxilMetadata
  void check_resource_lists() const {
    const NamedMetadata* const entries = list("dx.entryPoints");
    if (entries == nullptr || entries->nodes.count == 0) return;
    const std::uint32_t of_entry = tuple(m_.metadata_operands_of(entries->nodes)[0]).id(3);
    const NamedMetadata* const named = list("dx.resources");
    const auto nodes = named == nullptr ? std::span<const std::uint64_t>() : m_.metadata_operands_of(named->nodes);
    const bool same = of_entry == kNone ? nodes.empty() : nodes.size() == 1 && nodes[0] == of_entry;
    if (!same) c_.add(rules::kDxilResources, "dx.resources", "are not the resources of dx.entryPoints[0]");
  }

  bool needs_properties() const {
    switch (c_.program.kind) {
      case ShaderKind::pixel:
      case ShaderKind::vertex: return false;
      default: return true;
    }
  }

  bool spend() { return budget_ != 0 && budget_-- != 0; }

  void check_signatures(const module::MetadataTuple& entry, const std::string& path) {
    if (entry.at(2) == nullptr) return;
    const module::MetadataTuple signatures = entry.tuple(2);
    if (signatures.size() != kSignatureFields) return malformed(path + "/signatures", std::to_string(signatures.size()) + " operands");
    constexpr const char* kNames[] = {"/inputs", "/outputs", "/patch_or_primitives"};
    for (std::size_t s = 0; s < kSignatureFields; ++s) {
      const module::MetadataTuple elements = signatures.tuple(s);
      for (std::size_t i = 0; i < elements.size() && spend(); ++i) {
        const module::MetadataTuple e = elements.tuple(i);
        bool good = e.size() == kElementFields && e.at(1) != nullptr && e.at(1)->kind == MetadataKind::string;
        for (const std::size_t k : {0U, 2U, 3U, 5U, 6U, 7U, 8U, 9U}) good = good && e.integer(k);
        good = good && are_integers(e, kElementRows) && are_tags(e, kElementProperties, kElementTags);
        if (!good) malformed(path_of((path + kNames[s]).c_str(), i), "is not a signature element");
      }
    }
  }

  void check_resources(const module::MetadataTuple& lists, const std::string& path) {
    if (lists.size() == 0) return;
    if (lists.size() != kResourceLists) return malformed(path + "/resources", std::to_string(lists.size()) + " operands");
    for (std::size_t l = 0; l < kResourceLists; ++l) {
      const module::MetadataTuple list = lists.tuple(l);
      for (std::size_t i = 0; i < list.size() && spend(); ++i) {
        const module::MetadataTuple r = list.tuple(i);
        bool good = r.size() == kResourceFields[l];
        for (const std::size_t k : {0U, 3U, 4U, 5U}) good = good && r.integer(k);
        // Nothing reads those of samplers.
        if (kResourceTags[l] != 0) good = good && are_tags(r, kResourceFields[l] - 1, kResourceTags[l]);
        if (!good) malformed(path_of((path + "/resources[" + std::to_string(l) + "]").c_str(), i), "is not a resource of its class");
      }
    }
  }

  /// Null, or a list of numbers.
  bool are_integers(const module::MetadataTuple& of, std::size_t field) {
    if (of.at(field) == nullptr) return true;
    const module::MetadataTuple list = of.tuple(field);
    bool good = of.at(field)->kind == MetadataKind::node;
    for (std::size_t i = 0; i < list.size() && spend(); ++i) good = good && list.integer(i);
    return good;
  }

  /// The same of tags below `tags`, each with a number.
  bool are_tags(const module::MetadataTuple& of, std::size_t field, std::uint64_t tags) {
    const module::MetadataTuple list = of.tuple(field);
    bool good = are_integers(of, field) && list.size() % 2 == 0;
    for (std::size_t i = 0; i + 1 < list.size() && spend(); i += 2) good = good && list.integer(i).value_or(tags) < tags;
    return good;
  }

  void check_properties(const module::MetadataTuple& entry, const std::string& path) {
    const module::MetadataTuple properties = entry.tuple(4);
    bool good = properties.size() % 2 == 0;
    for (std::size_t i = 0; i + 1 < properties.size() && spend(); i += 2) {
      const auto tag = properties.integer(i);
      good = good && tag && *tag < kPropertyTags;
      if (!good) break;
      const std::uint32_t bit = std::uint32_t{1} << *tag;
      const Metadata* const value = properties.at(i + 1);
      if ((kNumberTags & bit) != 0) good = properties.integer(i + 1).has_value();
      if ((kListTags & bit) != 0) good = value != nullptr && value->kind == MetadataKind::node;
      if (*tag == program::property_tag::kNodeInputs || *tag == program::property_tag::kNodeOutputs) {
        const module::MetadataTuple nodes = properties.tuple(i + 1);
        for (std::size_t k = 0; k < nodes.size() && spend(); ++k) good = good && is_node_io(nodes.tuple(k));
      }
      if (*tag == program::property_tag::kGroupMemoryLimit) good = good && c_.has_model(10);
    }
    if (!good) malformed(path + "/properties", "is not a list of tags and values");
  }

  /// Tags and values of an input or output of a node, and of the record that it is of.
  bool is_node_io(const module::MetadataTuple& io) {
    bool good = io.size() % 2 == 0;
    for (std::size_t i = 0; i + 1 < io.size() && spend(); i += 2) {
      const auto tag = io.integer(i);
      good = good && tag && *tag < kNodeIoTags && io.at(i + 1) != nullptr;
      if (good && *tag == kRecordTag) good = is_record(io.tuple(i + 1));
    }
    return good;
  }
  bool is_record(const module::MetadataTuple& record) {
    bool good = record.size() % 2 == 0;
    for (std::size_t i = 0; i + 1 < record.size() && spend(); i += 2) {
      const auto tag = record.integer(i);
      good = good && tag && *tag < kRecordTags && record.at(i + 1) != nullptr;
      if (good && *tag == kDispatchGridTag) good = record.tuple(i + 1).size() == kDispatchGridFields;
    }
    return good;
  }

  void check_annotations() {
    const NamedMetadata* const named = list("dx.typeAnnotations");
    if (named == nullptr || c_.program.dxil_minor < 2) return;
    const auto nodes = m_.metadata_operands_of(named->nodes);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const module::MetadataTuple annotation = tuple(nodes[i]);
      const auto tag = annotation.integer(0);
      if (annotation.size() < kAnnotationFields || !tag || *tag >= kPayloadAnnotations)
        malformed(path_of("dx.typeAnnotations", i), "annotates neither structs nor functions");
    }
  }

  static constexpr std::size_t kBase = 1024;
  const ModuleCheck& c_;
  const Module& m_;
  std::size_t budget_ = 0;
};

}  // namespace

void check_metadata(const ModuleCheck& check) { MetadataChecker(check).check(); }

}  // namespace unshade::dxil::validate
