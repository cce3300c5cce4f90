#include "dxbc/container/assemble.hpp"

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>
#include <utility>

#include <unshade/core/bits/little_endian.hpp>
#include <unshade/core/limits.hpp>
#include <unshade/core/text/line_counter.hpp>
#include <unshade/dxbc/fxc_version.hpp>
#include <unshade/dxbc/listing.hpp>
#include <unshade/dxbc/listing/header.hpp>
#include <unshade/dxbc/program.hpp>
#include <unshade/dxbc/program/facts.hpp>
#include <unshade/dxbc/program/rules.hpp>
#include <unshade/dxcontainer/features.hpp>
#include <unshade/dxcontainer/writer.hpp>

#include "dxbc/assemble/program.hpp"
#include "dxbc/assemble/statistics.hpp"
#include "dxbc/assemble/tables.hpp"
#include "dxbc/container/agreement.hpp"
#include "dxbc/container/part_statements.hpp"
#include "dxbc/container/read_statements.hpp"
#include "dxbc/listing/column_words.hpp"
#include "dxbc/listing/fxc_style.hpp"
#include "dxbc/listing/words.hpp"
#include "dxbc/parts/class_linkage_layout.hpp"
#include "dxbc/parts/rdef_layout.hpp"
#include "dxbc/parts/statistics_layout.hpp"

namespace unshade::dxbc::container {

using dxcontainer::Container;
using dxcontainer::fourcc;
using dxcontainer::Signature;
using dxcontainer::SignatureElement;
using dxcontainer::SystemValue;

namespace {

constexpr std::uint32_t kEarlyDepthStencil = 1U << listing::kEarlyDepthStencilFeature;
constexpr std::string_view kEffectVersion = "FX Version: ";

std::vector<std::byte> bytes_of(std::span<const std::uint32_t> tokens) {
  std::vector<std::byte> bytes(4 * tokens.size());
  for (std::size_t i = 0; i < tokens.size(); ++i)
    for (unsigned b = 0; b < 4; ++b) bytes[4 * i + b] = static_cast<std::byte>(tokens[i] >> (8 * b));
  return bytes;
}

class ContainerAssembler {
 public:
  ContainerAssembler(std::string_view text, assembler::Messages& messages, const AssemblerOptions& options)
      : text_(text), messages_(messages), assembler_(text, messages, options) {}

  AssembledContainer assemble() {
    if (is_effect_listing(text_)) return effect();
    // Tables that no reader understands are right all the same beside bytes that they are printed from.
    if (text_.find(listing::words::kPart) != std::string_view::npos) {
      assembler::Messages quiet(text_, true);
      tables_ = assembler::read_tables(text_, quiet);
      has_table_faults_ = quiet.failed();
    } else {
      tables_ = assembler::read_tables(text_, messages_);
    }
    assembler::read_slot_count(text_, tables_, messages_);
    assembler_.skip_level9();
    head_ = {text_.data(), static_cast<std::size_t>(assembler_.scanner().at() - text_.data())};
    if (assembler_.at_part_statement()) {  // a container without a token program
      read_statements();
      container_.parts = order();
      if (!messages_.failed()) compare_facts(stated_, container_, messages_);
      with_file(container_.parts, [&](const Container& whole) {
        if (!gives_head(head_, whole)) compare_head(head_, whole, messages_);
        if (given(fourcc("RDEF")) != nullptr) compare_definitions(stated_, whole, messages_);
      });
      return std::move(container_);
    }
    if (!assembler_.profile()) return {};
    assembler::check_comments_below(text_, assembler_.profile_at(), messages_);
    assembler_.statements();
    program_bytes_ = bytes_of(assembler_.take());
    read_statements();
    const bool has_bytes =
        std::any_of(stated_.parts.begin(), stated_.parts.end(), [](const GivenPart& given) { return given.data.has_value(); });
    if (has_table_faults_ && (!has_bytes || messages_.failed())) assembler::read_tables(text_, messages_);
    if (messages_.failed()) return {};
    dxcontainer::Part part{fourcc("SHEX"), 0, View(std::span<const std::byte>(program_bytes_), 0)};
    const auto program = parse_program(part);
    if (!program) {
      messages_.report(MessageKind::part, text_.data(), "the assembled program cannot be read: " + program.error().message);
      return {};
    }
    program_ = *program;
    facts_ = program::collect_facts(program_);
    make_parts();
    container_.parts = order();
    container_.statements = assembler_.starts();
    if (!messages_.failed()) compare();
    if (!messages_.failed()) warn_of_level9();
    return std::move(container_);
  }

 private:
  void read_statements() {
    stated_ = read_part_statements(assembler_, tables_.rdef.bindings.size(), messages_);
    container_.digest = stated_.digest;
    container_.after = std::move(stated_.after);
    container_.trailing = std::move(stated_.trailing);
  }

  // --- effects -------------------------------------------------------------------------------------------------------------------------

  static bool is_effect_listing(std::string_view text) {
    assembler::CommentLines lines(text);
    auto line = lines.next();
    while (line && line->trimmed().empty()) line = lines.next();
    return line && line->trimmed().starts_with(kEffectVersion);
  }

  // Its text tells what its bytes are: it is not assembled.
  AssembledContainer effect() {
    assembler::Scanner& scan = assembler_.scanner();
    while (!scan.at_end() && !assembler_.at_part_statement()) {
      scan.skip_line();
      scan.blanks();
    }
    if (scan.at_end()) {
      messages_.report(MessageKind::part, text_.data(),
                       "effects cannot be assembled from text alone: use an exact listing, which contains their bytes");
      return {};
    }
    const std::string_view listing(text_.data(), static_cast<std::size_t>(scan.at() - text_.data()));
    read_statements();
    container_.parts = order();
    if (!messages_.failed()) compare_facts(stated_, container_, messages_);
    if (!messages_.failed()) {
      with_file(container_.parts, [&](const Container& whole) {
        gives_effect(listing, whole, messages_);
        if (given(fourcc("RDEF")) != nullptr) compare_definitions(stated_, whole, messages_);
      });
    }
    return std::move(container_);
  }

  // --- text beside bytes ---------------------------------------------------------------------------------------------------------------

  template <class F>
  void with_file(const std::vector<AssembledPart>& parts, F f) const {
    AssembledContainer container;
    container.parts = parts;
    const auto file = container.write();
    if (!file) return;
    const auto whole = dxcontainer::parse_container(View(std::span<const std::byte>(*file), 0));
    if (whole) f(*whole);
  }

  const GivenPart* given(std::uint32_t kind) const {
    const auto found =
        std::find_if(stated_.parts.begin(), stated_.parts.end(), [&](const GivenPart& given) { return given.fourcc == kind; });
    return found == stated_.parts.end() || !found->has_bytes ? nullptr : &*found;
  }

  void compare() {
    bool lacks_statistics = !stated_.parts.empty();  // by the list of parts: nothing is counted
    for (const AssembledPart& part : container_.parts) lacks_statistics = lacks_statistics && part.fourcc != fourcc("STAT");
    const std::optional<Statistics> statistics = statistics_in(container_);
    compare_statistics(tables_, statistics ? &*statistics : nullptr,
                       given(fourcc("STAT")) != nullptr || stated_.states_instruction_count || lacks_statistics, messages_);
    compare_facts(stated_, container_, messages_);
    if (stated_.parts.empty() && !assembler_.has_level9()) return;
    with_file(container_.parts, [&](const Container& whole) {
      if (assembler_.has_level9()) compare_level9(head_, whole, !stated_.parts.empty(), messages_);
      if (stated_.parts.empty()) return;
      const auto tables = listing::read_listing_tables(whole);
      if (!tables) {
        unreadable(tables.error());
      } else if (!gives_head(head_, whole)) {
        if (has_table_faults_)
          assembler::read_tables(text_, messages_);
        else
          with_file(made_, [&](const Container& made) { compare_tables(head_, made, whole, messages_); });
      }
      if (given(fourcc("RDEF")) != nullptr) compare_definitions(stated_, whole, messages_);
      compare_program(program_, assembler_.starts(), assembler_.profile_at(), whole, messages_);
    });
  }

  // A part that no table can be compared with: in order if the text has none.
  void unreadable(const Error& error) {
    if (!has_table_faults_ && !tables_.has_rdef && !tables_.input && !tables_.output && !tables_.patch_constant && !tables_.class_linkage)
      return;
    const char* at = text_.data();
    for (const GivenPart& given : stated_.parts)
      if (error.path.starts_with(fourcc_text(given.fourcc))) at = given.at;
    messages_.report(MessageKind::disagreement, at, "the tables cannot be compared with the part: " + error.path + ": " + error.message);
  }

  // Code for level 9 that is in bytes says nothing of an edit of the program.
  void warn_of_level9() {
    for (const GivenPart& given : stated_.parts) {
      if (!given.has_bytes || dxcontainer::role_of(given.fourcc) != dxcontainer::PartRole::level9) continue;
      if (given.beside == program_checksum(program_bytes_)) continue;
      messages_.report(MessageKind::level9_kept, given.at,
                       given.beside
                           ? "the program was edited, the code for level 9 in these bytes was not: a device of level 9 runs the old shader"
                           : "the code for level 9 is that of these bytes, whether or not it is that of the program");
    }
  }

  // --- parts ---------------------------------------------------------------------------------------------------------------------------

  void add(std::uint32_t kind, std::vector<std::byte> data) { made_.push_back({kind, std::move(data), nullptr}); }

  void make_parts() {
    const bool has_min_precision = (facts_.stage.global_flags & program::kFlagMinPrecision) != 0;
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

    check_features();
    std::uint64_t features = facts_.features | tables_.features;
    if (program_.major >= 5) features &= ~std::uint64_t{kEarlyDepthStencil};
    const bool is_extended = program_.major >= 5 || program_.stage == Stage::compute || (features & program::kRawStructured4) != 0;
    add(is_extended ? fourcc("SHEX") : fourcc("SHDR"), program_bytes_);
    if (features != 0) {
      std::vector<std::byte> data;
      append_little_endian<std::uint64_t>(data, features);
      add(fourcc("SFI0"), std::move(data));
    }
    if (tables_.instruction_slots != 0 || !stated_.counts.empty()) {
      Statistics statistics = assembler::statistics_of(facts_, era());
      if (tables_.sample_frequency) statistics.sample_frequency = 1;
      statistics.is_long = program_.major >= 5;
      for (const StatedCount& stated : stated_.counts)
        visit_statistics(statistics, [&](std::string_view field, std::uint32_t& value) {
          if (field == stated.field) value = stated.value;
        });
      add(fourcc("STAT"), write_statistics(statistics));
    }
  }

  // The note on features is printed of shader model 5 only, but for one line, which comes from the program.
  void check_features() {
    const bool is_forced = (facts_.stage.global_flags & program::kFlagForceEarlyDepthStencil) != 0;
    if ((tables_.features & kEarlyDepthStencil) != 0 && !is_forced)
      messages_.report(MessageKind::disagreement, tables_.features_at,
                       "early depth-stencil requires dcl_globalFlags forceEarlyDepthStencil in the program");
    if (program_.major < 5 && (tables_.features & ~std::uint64_t{kEarlyDepthStencil}) != 0)
      messages_.report(MessageKind::part, tables_.features_at, "the features are not available in shader model 4");
  }

  listing::FxcEra era() const { return listing::fxc_era(fxc_version_of_creator(tables_.rdef.creator.text).value_or(kNewestFxc)); }

  // The signature with what the listing prints otherwise.
  std::vector<std::byte> signature(Signature& signature, bool is_output, bool has_min_precision) {
    const bool has_streams = has_min_precision || (is_output && program_.stage == Stage::geometry && program_.major >= 5);
    signature.layout = {has_streams, has_min_precision};
    for (SignatureElement& element : signature.elements) {
      if (element.stream != 0 && !has_streams)
        messages_.report(MessageKind::part, element.semantic.text.data(),
                         "streams are only valid in outputs of shader model 5 geometry shaders");
      if (element.min_precision != dxcontainer::MinPrecision::none && !has_min_precision)
        messages_.report(MessageKind::part, element.semantic.text.data(),
                         "minimum precision requires dcl_globalFlags enableMinimumPrecision in the program");
      if (is_output) element.used_mask = static_cast<std::uint8_t>(~element.used_mask & 0xf);
      if (is_output && program_.stage == Stage::pixel) {
        const SystemValue said = element.system_value;
        element.system_value = SystemValue::undefined;
        if (listing::reported_system_value(element, true) != said) element.system_value = said;
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
      if (listing::stage_of(target) == program_.stage) rdef.target = target;
    rdef.flags = stated_.compile_flags;
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
    if (binding.space != 0 && !program_.is_5_1())
      messages_.report(MessageKind::part, binding.name.text.data(), "register spaces require shader model 5.1");
    if (stated_.packed ? (*stated_.packed)[place] : is_likely_packed(binding, program_.is_5_1())) binding.flags |= kBindingUserPacked;
    switch (binding.kind) {
      case ResourceKind::structured:
      case ResourceKind::uav_structured:
      case ResourceKind::uav_append:
      case ResourceKind::uav_consume:
      case ResourceKind::uav_structured_with_counter: break;
      default: return;
    }
    const OperandType type = binding.is_uav() ? OperandType::uav : OperandType::resource;
    for (const program::DeclaredBinding& declared : facts_.bindings)
      if (declared.type == type && declared.lower == binding.bind_point && declared.space == binding.space)
        binding.sample_count = declared.size;
  }

  // Types have their names since shader model 5: `float4x4`; what HLSL calls uint is `dword`.
  void name(Type& type) {
    if (type.variable_class > TypeClass::matrix_columns || !type.name.empty()) return;
    std::string text(fxc_text(type.type));
    if (type.variable_class == TypeClass::scalar) {
      if (type.type == BaseType::uint_) text = "dword";
    } else {
      if (type.variable_class != TypeClass::vector) text += std::to_string(type.rows) + 'x';
      text += std::to_string(type.columns);
    }
    names_.push_back(std::move(text));
    type.name.text = names_.back();
  }

  // --- order ---------------------------------------------------------------------------------------------------------------------------

  std::vector<AssembledPart> order() {
    if (stated_.parts.empty()) {
      if (assembler_.has_level9()) {
        // observed: with code for level 9, which would come first, the rest is in this order
        constexpr std::uint32_t kOrder[] = {fourcc("SHDR"), fourcc("SHEX"), fourcc("STAT"), fourcc("RDEF"),
                                            fourcc("ISGN"), fourcc("OSGN"), fourcc("SFI0")};
        const auto place = [&](const AssembledPart& part) { return std::find(std::begin(kOrder), std::end(kOrder), part.fourcc); };
        std::sort(made_.begin(), made_.end(), [&](const AssembledPart& a, const AssembledPart& b) { return place(a) < place(b); });
      }
      return std::move(made_);
    }
    std::vector<AssembledPart> parts;
    for (GivenPart& given : stated_.parts) {
      if (given.data) {
        parts.push_back({given.fourcc, *std::move(given.data), given.at});
        continue;
      }
      const auto made = std::find_if(made_.begin(), made_.end(), [&](const AssembledPart& part) {
        return part.fourcc == given.fourcc || (is_program(part.fourcc) && is_program(given.fourcc));
      });
      if (made == made_.end()) {
        messages_.expected(MessageKind::part, given.at, "bytes in braces, or a part that the text defines");
        continue;
      }
      parts.push_back(
          {given.fourcc, made->data, given.at});  // as the statement calls it: observed: Wine's compiler writes shader model 5 into SHDR
    }
    return parts;
  }

  std::string_view text_;
  assembler::Messages& messages_;
  assembler::ProgramAssembler assembler_;
  assembler::SourceTables tables_;
  PartStatements stated_;          // after the program
  std::string_view head_;          // what is above the profile line
  bool has_table_faults_ = false;  // which are not reported yet
  AssembledContainer container_;
  std::vector<std::byte> program_bytes_;
  Program program_;
  program::ProgramFacts facts_;
  std::deque<std::string> names_;
  std::vector<AssembledPart> made_;
};

}  // namespace

AssembledContainer assemble_container(std::string_view text, assembler::Messages& messages, const AssemblerOptions& options) {
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

std::vector<ByteOrigin> AssembledContainer::origins(std::string_view text, View file) const {
  std::vector<ByteOrigin> origins;
  const auto whole = dxcontainer::parse_container(file);
  if (!whole || whole->parts.size() != parts.size()) return origins;
  const auto* const program = whole->find(dxcontainer::PartRole::tokens);
  LineCounter lines(text);
  const auto from = [&](std::uint64_t offset, const char* at) {
    if (at == nullptr) return origins.push_back({offset});
    const auto place = lines.at(static_cast<std::size_t>(at - text.data()));
    origins.push_back({offset, place.line, place.column});
  };
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const dxcontainer::Part& part = whole->parts[i];
    from(part.data.file_offset(), parts[i].at);
    if (&part != program) continue;
    for (const auto& statement : statements) from(part.data.file_offset() + 4 * statement.token, statement.at);
    if (!statements.empty()) from(part.data.file_offset() + part.data.size(), nullptr);
  }
  return origins;
}

}  // namespace unshade::dxbc::container

namespace unshade::dxbc {

Assembly assemble(std::string_view text, const AssemblerOptions& options) {
  Assembly assembly;
  assembler::Messages messages(text);
  const auto container = container::assemble_container(text, messages, options);
  if (!messages.failed()) {
    auto file = container.write();
    if (file) {
      assembly.file = *std::move(file);
      assembly.origins = container.origins(text, View(assembly.file));
    } else {
      messages.report(MessageKind::size, text.data(), file.error().message);
    }
  }
  assembly.ok = !messages.failed();
  assembly.messages = messages.take();
  return assembly;
}

}  // namespace unshade::dxbc
