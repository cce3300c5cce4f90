#include "dxbc/as_container.hpp"

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>

#include <unshade/core/limits.hpp>
#include <unshade/dxbc/fxc_version.hpp>
#include <unshade/dxbc/program.hpp>
#include <unshade/dxcontainer/features.hpp>
#include <unshade/dxcontainer/writer.hpp>

#include "dxbc/as_program.hpp"
#include "dxbc/as_statistics.hpp"
#include "dxbc/as_tables.hpp"
#include "dxbc/class_linkage_layout.hpp"
#include "dxbc/fxc_style.hpp"
#include "dxbc/listing_header.hpp"
#include "dxbc/listing_words.hpp"
#include "dxbc/program_facts.hpp"
#include "dxbc/program_rules.hpp"
#include "dxbc/rdef_layout.hpp"
#include "dxbc/rdef_place.hpp"

namespace unshade::dxbc {

using dxcontainer::fourcc;
using dxcontainer::Signature;
using dxcontainer::SignatureElement;
using dxcontainer::SystemValue;

namespace {

constexpr std::uint32_t kEarlyDepthStencil = 1U << 1;  // in the listing's note; a bit of another meaning in SFI0
constexpr std::uint32_t kMinimumPrecision = 1U << 5;   // of dcl_globalFlags
constexpr std::uint32_t kRawStructured4 = 1U << 1;     // of SFI0
constexpr std::uint32_t kUsualCompileFlags = 0x100;    // no_preshader, which every file has
constexpr std::string_view kGlobals = "$Globals";      // buffers that fxc makes have no register of their own
constexpr std::string_view kParameters = "$Params";

std::vector<std::byte> bytes_of(std::span<const std::uint32_t> tokens) {
  std::vector<std::byte> bytes(4 * tokens.size());
  for (std::size_t i = 0; i < tokens.size(); ++i)
    for (unsigned b = 0; b < 4; ++b) bytes[4 * i + b] = static_cast<std::byte>(tokens[i] >> (8 * b));
  return bytes;
}

/// Whether fxc marks a binding as one whose register the source gives, as far as the listing tells. observed: in shader model 5.1 only
/// buffers are marked; what fxc makes itself never is.
bool is_likely_packed(const Binding& binding, bool is_5_1) {
  return (!is_5_1 || binding.kind == ResourceKind::cbuffer) && binding.name.text != kGlobals && binding.name.text != kParameters;
}

class ContainerAssembler {
 public:
  ContainerAssembler(std::string_view text, Messages& messages, const AssemblerOptions& options)
      : text_(text), messages_(messages), assembler_(text, messages, options) {}

  AssembledContainer assemble() {
    tables_ = read_tables(text_, messages_);
    assembler_.skip_level9();
    if (assembler_.at_part_statement()) {  // a container without a token program
      statements();
      container_.parts = order();
      return std::move(container_);
    }
    if (!assembler_.profile()) return {};
    assembler_.statements();
    program_bytes_ = bytes_of(assembler_.take());
    statements();
    if (messages_.failed()) return {};
    dxcontainer::Part part{fourcc("SHEX"), 0, View(std::span<const std::byte>(program_bytes_), 0)};
    const auto program = parse_program(part);
    if (!program) {
      messages_.report(Message::part, text_.data(), "the program cannot be read again: " + program.error().message);
      return {};
    }
    program_ = *program;
    Findings findings(program_bytes_.size());
    facts_ = validate_program(part, program_, findings);
    make_parts();
    container_.parts = order();
    return std::move(container_);
  }

 private:
  // A part as `.part` names it; without data it is the one that is made.
  struct Given {
    std::uint32_t fourcc;
    std::optional<std::vector<std::byte>> data;
    const char* at;
  };

  // --- statements behind the program ---------------------------------------------------------------------------------------------------

  void statements() {
    Scanner& scan = assembler_.scanner();
    while (assembler_.more()) {
      const bool good = scan.take(words::kPart)           ? part(scan)
                        : scan.take(words::kCompileFlags) ? scan.number(compile_flags_, "compile flags")
                        : scan.take(words::kPacked)       ? packed(scan)
                        : scan.take(words::kDigest)       ? digest(scan)
                        : scan.take(words::kAfter)        ? bytes(scan, container_.after)
                        : scan.take(words::kTrailing)     ? bytes(scan, container_.trailing)
                                                          : scan.fail(Message::syntax, "a statement about parts");
      if (good && !scan.at_line_end()) scan.fail(Message::syntax, "the end of the line");
      scan.skip_line();
    }
  }

  // .part SPDB { 0123 4567 }
  bool part(Scanner& scan) {
    scan.blanks();
    const char* at = scan.at();
    const auto name = scan.name();
    if (name.size() != 4) {
      scan.set(at);
      return scan.fail(Message::part, "the four characters of a part");
    }
    Given given{0, std::nullopt, at};
    for (unsigned i = 0; i < 4; ++i) given.fourcc |= static_cast<std::uint32_t>(static_cast<unsigned char>(name[i])) << (8 * i);
    scan.blanks();
    if (scan.peek() == '{' && !bytes(scan, given.data.emplace())) return false;
    given_.push_back(std::move(given));
    return true;
  }
  // { 0123 4567 }, over as many lines as it takes
  static bool bytes(Scanner& scan, std::vector<std::byte>& data) {
    data.clear();
    if (!scan.expect('{')) return false;
    for (scan.blanks_and_lines(); !scan.take('}'); scan.blanks_and_lines()) {
      const int high = hex_digit(scan.peek());
      const int low = hex_digit(scan.peek(1));
      if (high < 0 || low < 0) return scan.fail(Message::invalid_number, "bytes, two hexadecimal digits each, or `}`");
      data.push_back(static_cast<std::byte>(high * 16 + low));
      scan.next();
      scan.next();
    }
    return true;
  }
  bool digest(Scanner& scan) {
    const char* at = scan.at();
    std::vector<std::byte> data;
    if (!bytes(scan, data)) return false;
    if (data.size() != container_.digest.emplace().size()) {
      scan.set(at);
      return scan.fail(Message::part, "the sixteen bytes of a digest");
    }
    std::copy(data.begin(), data.end(), container_.digest->begin());
    return true;
  }
  static int hex_digit(char c) {
    return is_digit(c) ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
  }

  // .packed 0 2 5: bindings, by their places in the table, whose source gives a register
  bool packed(Scanner& scan) {
    packed_.emplace(tables_.rdef.bindings.size(), false);
    while (!scan.at_line_end()) {
      std::uint32_t place = 0;
      scan.blanks();
      const char* at = scan.at();
      if (!scan.number(place, "the place of a binding")) return false;
      if (place >= packed_->size()) {
        scan.set(at);
        return scan.fail(Message::number_range, "the place of a binding");
      }
      (*packed_)[place] = true;
    }
    return true;
  }

  // --- parts ---------------------------------------------------------------------------------------------------------------------------

  void add(std::uint32_t kind, std::vector<std::byte> data) { made_.push_back({kind, std::move(data)}); }

  void make_parts() {
    const bool has_min_precision = (facts_.global_flags & kMinimumPrecision) != 0;
    if (tables_.has_rdef) add(fourcc("RDEF"), rdef());
    if (tables_.input) add(has_min_precision ? fourcc("ISG1") : fourcc("ISGN"), signature(*tables_.input, false, has_min_precision));
    const bool is_hull = program_.stage == Stage::hull;
    const auto patch_constant = [&] {
      if (tables_.patch_constant)
        add(has_min_precision ? fourcc("PSG1") : fourcc("PCSG"), signature(*tables_.patch_constant, is_hull, has_min_precision));
    };
    if (!is_hull) patch_constant();
    if (tables_.output) {
      const bool has_streams = program_.stage == Stage::geometry && program_.major >= 5;
      add(has_min_precision ? fourcc("OSG1")
          : has_streams     ? fourcc("OSG5")
                            : fourcc("OSGN"),
          signature(*tables_.output, true, has_min_precision));
    }
    if (is_hull) patch_constant();
    if (tables_.class_linkage) {
      place_as_fxc(*tables_.class_linkage);
      add(fourcc("IFCE"), write_class_linkage(*tables_.class_linkage));
    }

    std::uint64_t features = facts_.features | tables_.features;
    if (program_.major >= 5) features &= ~std::uint64_t{kEarlyDepthStencil};
    const bool is_extended = program_.major >= 5 || program_.stage == Stage::compute || (features & kRawStructured4) != 0;
    add(is_extended ? fourcc("SHEX") : fourcc("SHDR"), program_bytes_);
    if (features != 0) {
      std::vector<std::byte> data(8);
      for (unsigned i = 0; i < 8; ++i) data[i] = static_cast<std::byte>(features >> (8 * i));
      add(fourcc("SFI0"), std::move(data));
    }
    if (tables_.instruction_slots != 0) {
      Statistics statistics = count_statistics(program_, facts_, era());
      if (tables_.sample_frequency) statistics.sample_frequency = 1;
      statistics.is_long = program_.major >= 5;
      add(fourcc("STAT"), write_statistics(statistics));
    }
  }

  FxcEra era() const { return fxc_era(fxc_version_of_creator(tables_.rdef.creator.text).value_or(kNewestFxc)); }

  // The signature with what the listing prints otherwise.
  std::vector<std::byte> signature(Signature& signature, bool is_output, bool has_min_precision) const {
    const bool has_streams = has_min_precision || (is_output && program_.stage == Stage::geometry && program_.major >= 5);
    signature.layout = {has_streams, has_min_precision};
    for (SignatureElement& element : signature.elements) {
      if (is_output) element.used_mask = static_cast<std::uint8_t>(~element.used_mask & 0xf);
      if (is_output && program_.stage == Stage::pixel) {
        const SystemValue said = element.system_value;
        element.system_value = SystemValue::undefined;
        if (reported_system_value(element, true) != said) element.system_value = said;
      }
    }
    return dxcontainer::write_signature(signature);
  }

  std::vector<std::byte> rdef() {
    Rdef& rdef = tables_.rdef;
    rdef.major_version = program_.major;
    rdef.minor_version = program_.minor;
    for (const RdefTarget target :
         {RdefTarget::pixel, RdefTarget::vertex, RdefTarget::geometry, RdefTarget::hull, RdefTarget::domain, RdefTarget::compute})
      if (stage_of(target) == program_.stage) rdef.target = target;
    rdef.flags = compile_flags_;
    rdef.magic = program_.major < 5 ? 0 : program_.is_5_1() ? kRdefMagic51 : kRdefMagic50;
    rdef.strides = standard_strides(rdef.magic);
    if (tables_.class_linkage) rdef.interface_slots = tables_.class_linkage->slot_count;
    for (std::size_t i = 0; i < rdef.bindings.size(); ++i) binding(rdef.bindings[i], i);
    if (rdef.strides.has_class_info()) {
      for (Type& type : rdef.types) name(type);
    } else {
      for (Type& type : rdef.types) type.name = {{}, 0};
    }
    place_as_fxc(rdef);
    return write_rdef(rdef);
  }

  void binding(Binding& binding, std::size_t place) {
    if (packed_ ? (*packed_)[place] : is_likely_packed(binding, program_.is_5_1())) binding.flags |= kBindingUserPacked;
    switch (binding.kind) {
      case ResourceKind::structured:
      case ResourceKind::uav_structured:
      case ResourceKind::uav_append:
      case ResourceKind::uav_consume:
      case ResourceKind::uav_structured_with_counter: break;
      default: return;
    }
    const OperandType type = binding.is_uav() ? OperandType::uav : OperandType::resource;
    for (const DeclaredBinding& declared : facts_.bindings)
      if (declared.type == type && declared.lower == binding.bind_point && declared.space == binding.space)
        binding.sample_count = declared.size;
  }

  // Types have their names since shader model 5: `float4x4`; what HLSL calls uint is `dword`.
  void name(Type& type) {
    if (type.variable_class > VariableClass::matrix_columns || !type.name.empty()) return;
    std::string text(fxc_text(type.type));
    if (type.variable_class == VariableClass::scalar) {
      if (type.type == VariableType::uint_) text = "dword";
    } else {
      if (type.variable_class != VariableClass::vector) text += std::to_string(type.rows) + 'x';
      text += std::to_string(type.columns);
    }
    names_.push_back(std::move(text));
    type.name.text = names_.back();
  }

  // --- order ---------------------------------------------------------------------------------------------------------------------------

  std::vector<AssembledPart> order() {
    if (given_.empty()) {
      if (assembler_.has_level9()) {
        // observed: with code for level 9, which would come first, the rest stands in this order
        constexpr std::uint32_t kOrder[] = {fourcc("SHDR"), fourcc("SHEX"), fourcc("STAT"), fourcc("RDEF"),
                                            fourcc("ISGN"), fourcc("OSGN"), fourcc("SFI0")};
        const auto place = [&](const AssembledPart& part) { return std::find(std::begin(kOrder), std::end(kOrder), part.fourcc); };
        std::sort(made_.begin(), made_.end(), [&](const AssembledPart& a, const AssembledPart& b) { return place(a) < place(b); });
      }
      return std::move(made_);
    }
    std::vector<AssembledPart> parts;
    for (Given& given : given_) {
      if (given.data) {
        parts.push_back({given.fourcc, *std::move(given.data)});
        continue;
      }
      const auto made = std::find_if(made_.begin(), made_.end(), [&](const AssembledPart& part) { return part.fourcc == given.fourcc; });
      if (made == made_.end()) {
        messages_.expected(Message::part, given.at, "bytes between braces, or a part that the text gives");
        continue;
      }
      parts.push_back(*made);
    }
    return parts;
  }

  std::string_view text_;
  Messages& messages_;
  ProgramAssembler assembler_;
  SourceTables tables_;
  std::uint32_t compile_flags_ = kUsualCompileFlags;
  std::optional<std::vector<bool>> packed_;
  std::vector<Given> given_;
  AssembledContainer container_;
  std::vector<std::byte> program_bytes_;
  Program program_;
  ProgramFacts facts_;
  std::deque<std::string> names_;
  std::vector<AssembledPart> made_;
};

}  // namespace

AssembledContainer assemble_container(std::string_view text, Messages& messages, const AssemblerOptions& options) {
  return ContainerAssembler(text, messages, options).assemble();
}

Result<std::vector<std::byte>> AssembledContainer::write() const {
  std::vector<dxcontainer::PartBytes> borrowed;
  for (const AssembledPart& part : parts) borrowed.push_back({part.fourcc, part.data, {}});
  dxcontainer::ContainerForm form;
  if (digest) {
    form.signing = dxcontainer::Signing::given;
    form.digest = *digest;
  }
  form.after = after;
  form.trailing = trailing;
  return dxcontainer::write_container(borrowed, form);
}

namespace {

void print_definitions(Text& out, const Rdef& rdef) {
  if (rdef.flags != kUsualCompileFlags) {
    out << words::kCompileFlags << " 0x";
    out.hex(rdef.flags) << '\n';
  }
  const auto is_packed = [](const Binding& binding) { return (binding.flags & kBindingUserPacked) != 0; };
  if (std::all_of(rdef.bindings.begin(), rdef.bindings.end(),
                  [&](const Binding& binding) { return is_packed(binding) == is_likely_packed(binding, rdef.has_space()); }))
    return;
  out << words::kPacked;
  for (std::size_t i = 0; i < rdef.bindings.size(); ++i) {
    if (!is_packed(rdef.bindings[i])) continue;
    out << ' ';
    out.dec(i);
  }
  out << '\n';
}

void print_bytes(Text& out, View data) {
  constexpr std::size_t kBytesPerLine = 64;
  out << " {";
  for (std::size_t i = 0; i < data.size(); ++i) {
    if (i % kBytesPerLine == 0) out << "\n ";
    if (i % 4 == 0) out << ' ';
    out.hex(static_cast<std::uint8_t>(data.data()[i]), 2);
  }
  out << "\n}\n";
}

bool is_same(const AssembledPart& a, const dxcontainer::Part& b) {
  return a.fourcc == b.fourcc && a.data.size() == b.data.size() && std::equal(a.data.begin(), a.data.end(), b.data.data());
}

}  // namespace

void print_part_statements(Text& out, std::size_t listing_start, const dxcontainer::Container& container) {
  if (const auto* part = container.find(fourcc("RDEF")))
    if (const auto rdef = parse_rdef(*part)) print_definitions(out, *rdef);
  const std::string listing(out.view().substr(listing_start));
  Messages messages(listing, true);
  AssembledContainer made = assemble_container(listing, messages, {});
  const auto& parts = container.parts;
  if (messages.failed() || !std::equal(made.parts.begin(), made.parts.end(), parts.begin(), parts.end(), is_same)) {
    std::vector<AssembledPart> given;
    for (const dxcontainer::Part& part : parts) {
      given.push_back({part.fourcc, {part.data.bytes().begin(), part.data.bytes().end()}});
      out << words::kPart << ' ' << fourcc_text(part.fourcc);
      if (std::any_of(made.parts.begin(), made.parts.end(), [&](const AssembledPart& mine) { return is_same(mine, part); })) {
        out << '\n';
      } else {
        print_bytes(out, part.data);
      }
    }
    made.parts = std::move(given);
  }
  // What stands around the parts: another digest, bytes behind them. Other gaps and orders of parts are not told.
  const auto file = made.write();
  if (!file) return;
  const std::span<const std::byte> whole(*file);
  const View original = container.file;
  if (original.size() > whole.size()) {
    const std::size_t inside = container.size > whole.size() ? container.size - whole.size() : 0;
    if (inside != 0) print_bytes(out << words::kAfter, original.clamped(whole.size(), inside));
    if (original.size() > container.size) print_bytes(out << words::kTrailing, original.clamped(container.size, original.size()));
    made.after.assign(original.data() + whole.size(), original.data() + whole.size() + inside);
  }
  const auto again = made.write();
  if (again && dxcontainer::kHeaderBytes <= again->size() &&
      !std::equal(container.digest.begin(), container.digest.end(), again->begin() + 4))
    print_bytes(out << words::kDigest, View(std::span<const std::byte>(container.digest), 0));
}

Assembly assemble(std::string_view text, const AssemblerOptions& options) {
  Assembly assembly;
  Messages messages(text);
  const auto container = assemble_container(text, messages, options);
  if (!messages.failed()) {
    auto file = container.write();
    if (file) {
      assembly.file = *std::move(file);
    } else {
      messages.report(Message::size, text.data(), file.error().message);
    }
  }
  assembly.ok = !messages.failed();
  assembly.messages = messages.take();
  return assembly;
}

}  // namespace unshade::dxbc
