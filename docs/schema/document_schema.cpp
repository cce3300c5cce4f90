// docs/reference/json/document.schema.json: what documents of each kind of part may say, gathered from the descriptions.
#include "document_schema.hpp"

#include <string>
#include <string_view>
#include <vector>

#include <unshade/dxbc/class_linkage.hpp>
#include <unshade/dxbc/effect.hpp>
#include <unshade/dxbc/expression.hpp>
#include <unshade/dxbc/level9.hpp>
#include <unshade/dxbc/rdef.hpp>
#include <unshade/dxbc/statistics.hpp>
#include <unshade/dxcontainer/features.hpp>
#include <unshade/dxcontainer/root_signature.hpp>
#include <unshade/dxcontainer/signature.hpp>
#include <unshade/dxil/parts.hpp>
#include <unshade/dxil/psv.hpp>
#include <unshade/dxil/rdat.hpp>
#include <unshade/pica/shbin.hpp>

#include "dxbc/debug/spdb_document_layout.hpp"
#include "dxbc/debug/spdb_streams.hpp"
#include "dxbc/effect/expression_layout.hpp"
#include "dxbc/effect/layout.hpp"
#include "dxbc/level9/layout.hpp"
#include "dxbc/level9/sm2_comments_layout.hpp"
#include "dxbc/parts/class_linkage_layout.hpp"
#include "dxbc/parts/rdef_layout.hpp"
#include "dxbc/parts/statistics_layout.hpp"
#include "dxcontainer/root_signature/layout.hpp"
#include "dxcontainer/signature_layout.hpp"
#include "dxil/parts/parts_layout.hpp"
#include "dxil/parts/program_header_layout.hpp"
#include "dxil/parts/psv_layout.hpp"
#include "dxil/parts/rdat_layout.hpp"
#include "dxil/parts/source_info/document.hpp"
#include "dxil/parts/source_info/layout.hpp"
#include "explorer.hpp"
#include "pica/document_layout.hpp"
#include "pica/shbin_layout.hpp"

namespace unshade::docs {

bool RecordSchema::add(std::string_view name, const std::string& schema) {
  for (auto& [known, schemas] : members)
    if (known == name) return schemas.insert(schema).second;
  members.emplace_back(std::string(name), std::set<std::string>{schema});
  return true;
}

namespace {

std::string quoted(std::string_view text) {
  Text out;
  print_quoted(out, text);
  return out.str();
}

std::string range(std::string_view least, std::uint64_t most) {
  return "{\"type\": \"integer\", \"minimum\": " + std::string(least) + ", \"maximum\": " + std::to_string(most) + "}";
}

/// What a number of so many bytes may be; documents write signed ones with their sign, and accept both.
std::string number(std::size_t size) { return "{\"$ref\": \"#/$defs/u" + std::to_string(8 * size) + "\"}"; }

}  // namespace

std::string SchemaBook::reference(std::string_view path) { return "{\"$ref\": \"#/$defs/" + std::string(path) + "\"}"; }

std::string SchemaBook::names(const NameTable& names, std::string_view title, std::size_t size) {
  const std::string bits = '.' + std::to_string(8 * size);
  const auto known = known_.find(&names);
  if (known != known_.end() && enumerations_.contains(known->second + bits)) return reference(known->second + bits);
  std::string name = "names.";
  for (const char c : title) name += c == ' ' ? '_' : c;
  if (known != known_.end()) name = known->second;
  const auto taken = [&] {
    for (const auto& [table, used] : known_)
      if (table != &names && used == name) return true;
    return false;
  };
  while (taken()) name += "_";
  known_[&names] = name;
  std::string schema = "{\"anyOf\": [{\"enum\": [";
  bool is_first = true;
  std::set<std::string_view> seen;
  for (const NamedValue& value : names.values) {
    if (value.id.empty() || !seen.insert(value.id).second) continue;
    schema += (is_first ? "" : ", ") + quoted(value.id);
    is_first = false;
  }
  if (is_first) return number(size);
  enumerations_[name + bits] = schema + "]}, " + number(size) + "]}";
  return reference(name + bits);
}

std::string SchemaBook::field(const FieldType& type, std::size_t size) {
  switch (type.kind) {
    case FieldKind::signed_integer: return "{\"$ref\": \"#/$defs/i" + std::to_string(8 * size) + "\"}";
    case FieldKind::enumeration: return type.names != nullptr ? names(*type.names, type.name, size) : number(size);
    case FieldKind::custom:
    case FieldKind::flags:
      if (type.names == nullptr) return number(size);
      return R"({"type": "array", "items": )" + names(*type.names, type.name, size) + '}';
    case FieldKind::bits: {
      std::string schema = R"({"type": "object", "properties": {)";
      std::set<std::string_view> seen;
      for (const Bits& bits : type.bits) {
        if (!seen.insert(bits.name).second) continue;
        const std::uint64_t most = bits.count >= 32 ? 0xffff'ffff : (std::uint64_t{1} << bits.count) - 1;
        schema += quoted(bits.name) + ": " + (bits.names != nullptr ? names(*bits.names, bits.name, 4) : range("0", most)) + ", ";
      }
      return schema + "\"rest\": " + number(size) + "}, \"additionalProperties\": false}";
    }
    case FieldKind::component_mask: return R"({"anyOf": [{"type": "string", "pattern": "^[xyzw]*$"}, )" + number(size) + "]}";
    case FieldKind::fourcc: return R"({"anyOf": [{"type": "string", "minLength": 4, "maxLength": 4}, )" + number(size) + "]}";
    case FieldKind::real: return kRealSchema;
    default: return number(size);
  }
}

namespace {

using dxcontainer::fourcc;

constexpr const char* kContainer = R"({"$ref": "#/$defs/container"})";

/// A kind of part: what its fields are.
struct PartSchema {
  std::string_view fourcc;
  std::vector<std::string> schemas;
};

class DocumentSchema {
 public:
  std::string make() {
    dxcontainer_parts();
    dxbc_parts();
    dxil_parts();
    pica_files();
    print();
    return out_.str();
  }

 private:
  template <class T, class... Context>
  void part(std::string_view name, std::vector<Steering> steering, const T& model, const Context&... context) {
    explore(book_, std::string(name), std::move(steering), model, context...);
    add_part(name, SchemaBook::reference(name));
  }
  void add_part(std::string_view name, std::string schema) {
    for (PartSchema& known : parts_)
      if (known.fourcc == name) return known.schemas.push_back(std::move(schema));
    parts_.push_back({name, {std::move(schema)}});
  }

  void dxcontainer_parts() {
    for (const char* name : {"ISGN", "OSGN", "PCSG", "OSG5", "ISG1", "OSG1", "PSG1"}) {
      dxcontainer::Signature signature;
      signature.layout = dxcontainer::signature_layout(*fourcc_of(name));
      part(name, {}, signature);
    }
    std::string flags = R"({"type": "object", "properties": {"flags": {"type": "array", "items": {"anyOf": [{"enum": [)";
    bool is_first = true;
    for (const dxcontainer::Feature& feature : dxcontainer::features()) {
      flags += (is_first ? "" : ", ") + quoted(feature.id);
      is_first = false;
    }
    add_part("SFI0", flags + R"(]}, {"$ref": "#/$defs/u64"}]}}}, "additionalProperties": false})");
    part("RTS0", {{"version", {1, 2, 3}}}, dxcontainer::RootSignature{});
  }

  void dxbc_parts() {
    using namespace dxbc;
    using namespace dxbc::debug;

    part("RDEF", {{"magic", {kRdefMagic51, kRdefMagic50, 0}}}, Rdef{});
    Statistics statistics;
    part("STAT", {}, statistics);
    statistics.is_long = true;
    explore(book_, "STAT", {}, statistics);
    part("IFCE", {}, ClassLinkage{});
    const char* const program =
        R"json({"type": "object", "properties": {"program": {"type": "string", "description": "assembly (docs/reference/texts/dxbc.md)"}}, )json"
        R"json("required": ["program"], "additionalProperties": false})json";
    for (const char* name : {"SHEX", "SHDR"}) add_part(name, program);
    part("Aon9", {}, Level9{});
    explore(book_, "DBUG", {}, sm2::DebugInfo{});
    explore(book_, "CTAB", {}, sm2::ConstantTable{});
    RecordSchema& level9 = book_.record("Aon9");
    level9.add("program", R"({"type": "string", "description": "a Direct3D 9 program as text, or its bytes"})");
    level9.add("DBUG", SchemaBook::reference("DBUG"));
    level9.add("CTAB", SchemaBook::reference("CTAB"));
    for (const char* name : {"XNAS", "XNAP"}) add_part(name, SchemaBook::reference("Aon9"));
    Effect effect;
    effect.version = EffectVersion::fx_5_0;  // whose types have the most
    part("FX10", {}, effect);
    // Shaders and expressions are containers.
    for (const auto& [path, record] : book_.records()) {
      if (!path.starts_with("FX10")) continue;
      RecordSchema& changed = book_.record(path);
      for (auto& [name, schemas] : changed.members)
        if (name == "code") schemas.insert(kContainer);
    }
    add_part("CTAB", SchemaBook::reference("CTAB"));
    part("CLI4", {}, ExpressionLiterals{});
    part("FXLC", {{"is_indexed", {0, 1}}}, ExpressionCode{});
    database();
  }

  void database() {
    using namespace dxbc;
    using namespace dxbc::debug;
    part("SPDB", {}, SpdbFile{});
    Database database;
    for (auto kind = StreamKind::old_directory; kind != StreamKind::unknown; kind = static_cast<StreamKind>(static_cast<int>(kind) + 1)) {
      if (kind == StreamKind::source) continue;
      DatabaseStream stream;
      stream.kind = kind;
      with_model(database, stream, [&](const char* name, auto model, const auto&... context) {
        const std::string path = std::string("SPDB.") + name;
        explore_stream(book_, path, {{"contribution_version", {0xf12e'ba2d, 0}}}, model, context...);
        book_.record("SPDB.streams").add(name, SchemaBook::reference(path));
      });
    }
  }

  void dxil_parts() {
    using namespace dxil;
    for (const char* name : {"DXIL", "ILDB"}) part(name, {}, Program{}, true);
    add_part("STAT", SchemaBook::reference("DXIL"));
    const std::vector<Steering> sizes{
        {"runtime_info_bytes", {56, 24, 36, 48, 52, 64}}, {"resource_stride", {24, 16, 32}}, {"element_stride", {16, 24}}};
    Psv psv;
    psv.element_stride = kPsvElementBytes;
    for (const char* name : {"PSV0"}) part(name, sizes, psv);
    for (std::uint32_t kind = 0; kind < 16; ++kind) {
      psv.info.kind = static_cast<ShaderKind>(kind);
      explore(book_, "PSV0", sizes, psv);
    }
    RdatHeap heap;
    part("RDAT", {}, Rdat{}, &heap);
    for (const auto& [path, record] : book_.records()) {
      if (!path.starts_with("RDAT")) continue;
      for (auto& [name, schemas] : book_.record(path).members)
        if (name == "root_signature") schemas.insert(SchemaBook::reference("RTS0"));
    }
    part("HASH", {}, ShaderHash{});
    part("ILDN", {}, DebugName{});
    part("SRCI", {}, Sources{});
    part("PDBI", {}, PdbInfoPart{});
    part("VERS", {}, CompilerVersion{});
  }

  void pica_files() {
    explore(book_, "dvlb", {}, pica::Shbin{}, pica::Claims{});
    explore(book_, "dvoj", {}, pica::Object{}, pica::Claims{});
  }

  static std::optional<std::uint32_t> fourcc_of(std::string_view name) {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < name.size() && i < 4; ++i)
      value |= static_cast<std::uint32_t>(static_cast<unsigned char>(name[i])) << 8 * i;
    return value;
  }

  // --- printing ------------------------------------------------------------------------------------------------------------------------
  static std::string any_of(const std::vector<std::string>& schemas) {
    if (schemas.size() == 1) return schemas[0];
    std::string made = "{\"anyOf\": [";
    for (std::size_t i = 0; i < schemas.size(); ++i) made += (i != 0 ? ", " : "") + schemas[i];
    return made + "]}";
  }
  void definition(const std::string& name, const std::string& schema) { out_ << ",\n    " << quoted(name) << ": " << schema; }
  void print() {
    out_ << kDocumentSchemaHead;
    for (const auto& [name, schema] : book_.enumerations()) definition(name, schema);
    for (const auto& [path, record] : book_.records()) {
      std::string text = "{\n      \"type\": \"object\",\n      \"properties\": {";
      bool is_first = true;
      for (const auto& [name, schemas] : record.members) {
        text += (is_first ? "\n        " : ",\n        ") + quoted(name) + ": " + any_of({schemas.begin(), schemas.end()});
        is_first = false;
      }
      definition(path, text + "\n      },\n      \"additionalProperties\": false\n    }");
      // As an element of a list it may be the value of its only member.
      std::vector<std::string> alternatives{SchemaBook::reference(path)};
      std::set<std::string> bare;
      if (record.may_be_bare)
        for (const auto& [name, schemas] : record.members)
          if (record.scalars.contains(name) || name == "code") bare.insert(schemas.begin(), schemas.end());
      bare.erase(kContainer);
      alternatives.insert(alternatives.end(), bare.begin(), bare.end());
      definition(path + ".item", any_of(alternatives));
    }
    std::string parts =
        "{\n      \"description\": \"the part by its FourCC, first; hints behind it\",\n      \"type\": \"object\",\n      \"properties\": "
        "{";
    parts += "\n        \"size\": {\"$ref\": \"#/$defs/u32\", \"description\": \"a hint: the part has so many bytes\"},";
    parts += "\n        \"gaps\": {\"$ref\": \"#/$defs/gaps\"},";
    parts += "\n        \"before\": {\"$ref\": \"#/$defs/bytes\", \"description\": \"a hint: bytes of no part in front\"}";
    for (PartSchema& part : parts_) {
      part.schemas.emplace_back(kBytesSchema);
      parts += ",\n        " + quoted(part.fourcc) + ": " + any_of(part.schemas);
    }
    parts += "\n      },\n      \"patternProperties\": {\"^(?!size$|gaps$";
    for (const PartSchema& part : parts_) parts += '|' + std::string(part.fourcc) + '$';
    parts += ")(.{4}|0x[0-9a-f]{8})$\": {\"$ref\": \"#/$defs/bytes\"}},";
    definition("part", parts + "\n      \"minProperties\": 1,\n      \"maxProperties\": 4,\n      \"additionalProperties\": false\n    }");
    out_ << "\n  }\n}\n";
  }

  SchemaBook book_;
  std::vector<PartSchema> parts_;
  Text out_;
};

}  // namespace

std::string document_schema() { return DocumentSchema().make(); }

}  // namespace unshade::docs
