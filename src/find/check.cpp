#include "find/check.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <optional>
#include <span>
#include <vector>

#include <unshade/core/bits/rounding.hpp>
#include <unshade/dxcontainer/container.hpp>
#include <unshade/dxcontainer/digest.hpp>
#include <unshade/dxcontainer/msf.hpp>
#include <unshade/dxcontainer/pdb.hpp>
#include <unshade/dxil/module.hpp>
#include <unshade/pica/shbin.hpp>
#include <unshade/spirv/grammar.hpp>
#include <unshade/spirv/module.hpp>
#include <unshade/vbc/detect.hpp>

namespace unshade::find {

namespace {

/// What the bytes end in the middle of.
constexpr Checked cut(bool is_last, std::uint64_t needs = 0) {
  return {is_last ? Verdict::none : Verdict::unfinished, needs, Certainty::possible};
}

/// What it costs to see that something is no shader, where that is not counted: this part of the bytes.
constexpr std::size_t kFailedShare = 16;

// --- DXContainer ---------------------------------------------------------------------------------------------------------------------

/// More parts than any file has that was seen.
constexpr std::uint32_t kMostParts = 64;

/// Whether the parts follow each other, from the end of the index to the end of the container, and all are of known kinds.
bool fills(const dxcontainer::Container& container) {
  std::size_t end = dxcontainer::kHeaderBytes + 4 * container.parts.size();
  for (const dxcontainer::Part& part : container.parts) {
    if (part.offset != end || dxcontainer::find_part_kind(part.fourcc) == nullptr) return false;
    end += dxcontainer::kPartHeaderBytes + part.data.size();
  }
  return end == container.size && !container.parts.empty();
}

Checked check_container(View from, bool is_last, Work& work) {
  if (from.size() < dxcontainer::kHeaderBytes) return cut(is_last);
  const std::uint32_t version = *from.u32(20);
  const std::uint32_t size = *from.u32(24);
  const std::uint32_t parts = *from.u32(28);
  if (version != 1 || parts > kMostParts || size < dxcontainer::kHeaderBytes + 4 * parts || size > kLargestHit) return {};
  if (size > from.size()) return cut(is_last, size);
  const View bytes = from.clamped(0, size);
  const auto container = dxcontainer::parse_container(bytes);
  if (!container) return {};
  std::uint32_t before = 0;
  for (const dxcontainer::Part& part : container->parts) {
    if (part.offset <= before) return {};
    before = part.offset;
  }
  if (!work.take(size)) return {};
  switch (dxcontainer::check_digest(*container)) {
    case dxcontainer::DigestState::valid:
    case dxcontainer::DigestState::valid_debug: return {Verdict::found, size, Certainty::certain};
    case dxcontainer::DigestState::wrong:
      if (!fills(*container)) return {};
      return {Verdict::found, size, Certainty::possible};
    default: return {Verdict::found, size, Certainty::likely};
  }
}

// --- SPIR-V --------------------------------------------------------------------------------------------------------------------------

/// Ids that a module may have: src: SPIR-V specification, "Universal Limits"
constexpr std::uint32_t kMostIds = std::uint32_t{1} << 22;

constexpr std::uint32_t swapped_word(std::uint32_t value) {
  return value << 24 | (value & 0xff00) << 8 | (value >> 8 & 0xff00) | value >> 24;
}

/// A module without instructions: of no id is known what it is.
struct NoIds {
  std::array<std::uint32_t, spirv::kHeaderWords> header{spirv::kMagic, 0x1'0000, 0, 1, 0};
  spirv::Module module = *spirv::parse(View(std::as_bytes(std::span(header))));
  spirv::IdTable ids{module};
};

/// Follows the instructions of a module that may end anywhere.
class ModuleWalk {
 public:
  ModuleWalk(View from, bool is_last) : from_(from), is_last_(is_last), is_swapped_(*from.u32(0) != spirv::kMagic) {}

  Checked run() {
    const std::uint32_t version = word(1);
    bound_ = word(3);
    const bool is_known = (version & 0xff00'00ff) == 0 && version >> 16 == 1 && (version >> 8 & 0xff) <= 6;
    if (!is_known || bound_ == 0 || bound_ > kMostIds || word(4) != 0) return {};
    const std::uint64_t words = from_.size() / 4;
    for (at_ = spirv::kHeaderWords; at_ < words;) {
      const std::uint32_t count = word(at_) >> 16;
      const spirv::OpcodeInfo* const info = spirv::find_opcode(word(at_) & 0xffff);
      if (count == 0 || info == nullptr || !may_follow(*info, count)) return finished();
      if (count > words - at_) return is_last_ ? finished() : cut(is_last_);
      if (count < info->first_operand() || !has_ids(*info) || (!in_function_ && !fits())) return finished();
      step(*info, count);
    }
    return is_last_ ? finished() : cut(is_last_);
  }

  std::uint64_t looked_at() const { return 4 * std::max(at_, looked_at_); }

 private:
  std::uint32_t word(std::uint64_t index) const {
    const auto value = from_.load_unchecked<std::uint32_t>(static_cast<std::size_t>(4 * index));
    return is_swapped_ ? swapped_word(value) : value;
  }

  /// Whether an instruction may come here, as far as its first word tells.
  bool may_follow(const spirv::OpcodeInfo& info, std::uint32_t count) const {
    if (in_function_) return true;
    if (info.opcode == spirv::Opcode::function) return count == 5 && has_memory_model_;
    if (!had_function_)
      return info.section != spirv::Section::functions && (info.section == spirv::Section::any || info.section >= section_);
    return info.opcode == spirv::Opcode::line || info.opcode == spirv::Opcode::no_line || spirv::is_extended(info.opcode);
  }

  bool has_ids(const spirv::OpcodeInfo& info) const {
    for (std::uint32_t i = 1; i < info.first_operand(); ++i)
      if (const std::uint32_t id = word(at_ + i); id == 0 || id >= bound_) return false;
    if (!had_function_ || in_function_ || !spirv::is_extended(info.opcode)) return true;
    // after the functions: one of a set that means nothing
    return std::find(non_semantic_.begin(), non_semantic_.end(), word(at_ + 3)) != non_semantic_.end();
  }

  spirv::Instruction instruction() const { return {from_.data() + 4 * at_, static_cast<std::uint32_t>(at_), is_swapped_}; }

  /// Whether the operands are as many as the grammar has, and ids are below the bound.
  bool fits() {
    static const NoIds none;
    const spirv::Instruction instruction = this->instruction();
    looked_at_ = at_ + instruction.word_count();
    const spirv::Decoded decoded = spirv::decode_operands(instruction, none.ids, operands_);
    if (decoded == spirv::Decoded::too_long || decoded == spirv::Decoded::too_short) return false;
    return std::all_of(operands_.begin(), operands_.end(), [&](const spirv::Operand& operand) {
      return !spirv::is_id(operand.kind) || (instruction.word(operand.word) != 0 && instruction.word(operand.word) < bound_);
    });
  }

  void step(const spirv::OpcodeInfo& info, std::uint32_t count) {
    section_ = std::max(section_, info.section);
    if (info.opcode == spirv::Opcode::memory_model) has_memory_model_ = true;
    if (info.opcode == spirv::Opcode::ext_inst_import) {
      const std::string name = spirv::literal_string(instruction(), 2);
      if (spirv::is_non_semantic(spirv::find_set(name))) non_semantic_.push_back(word(at_ + 1));
    }
    if (info.opcode == spirv::Opcode::function) in_function_ = had_function_ = true;
    at_ += count;
    if (info.opcode == spirv::Opcode::function_end) in_function_ = false;
    // a line belongs to what follows
    if (!in_function_ && info.opcode != spirv::Opcode::line && info.opcode != spirv::Opcode::no_line) end_ = at_;
  }

  Checked finished() const {
    if (!has_memory_model_ || in_function_) return {};
    return {Verdict::found, 4 * end_, had_function_ ? Certainty::certain : Certainty::likely};
  }

  View from_;
  bool is_last_;
  bool is_swapped_;
  std::uint32_t bound_ = 0;
  spirv::Section section_ = spirv::Section::any;  // the last that was seen, of those before functions
  std::uint64_t at_ = 0;                          // words
  std::uint64_t looked_at_ = 0;                   // words, where that is more
  std::uint64_t end_ = 0;                         // after the last instruction that may be the module's last
  bool has_memory_model_ = false;
  bool had_function_ = false;
  bool in_function_ = false;
  std::vector<std::uint32_t> non_semantic_;
  std::vector<spirv::Operand> operands_;
};

Checked check_spirv(View from, bool is_last, Work& work) {
  if (from.size() < spirv::kHeaderBytes) return cut(is_last);
  ModuleWalk walk(from, is_last);
  const Checked checked = walk.run();
  return work.take(walk.looked_at()) ? checked : Checked{};
}

// --- SHBIN ---------------------------------------------------------------------------------------------------------------------------

constexpr std::uint32_t kMostExecutables = 4096;

Checked check_shbin(View from, bool is_last, Work& work) {
  if (from.size() < pica::kDvlbHeaderBytes) return cut(is_last);
  const std::uint32_t count = *from.u32(4);
  if (count >= kMostExecutables) return {};
  const std::size_t program = pica::kDvlbHeaderBytes + 4 * std::size_t{count};
  if (!from.holds(program, 4)) return cut(is_last);
  if (*from.u32(program) != pica::kDvlp) return {};
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t offset = *from.u32(pica::kDvlbHeaderBytes + 4 * std::size_t{i});
    if (offset > kLargestHit) return {};
    if (!from.holds(offset, 4)) return cut(is_last);
    if (*from.u32(offset) != pica::kDvle) return {};
  }
  auto budget = static_cast<std::size_t>(work.left);
  const std::uint64_t end = pica::shbin_end(from, budget);
  work.left = budget;
  if (end == 0) return cut(is_last);
  // up to a whole word, if that is not of something else
  const std::uint64_t whole = round_up(end, 4);
  for (std::uint64_t at = end; at < whole; ++at)
    if (from.u8(static_cast<std::size_t>(at)).value_or(1) != 0) return {Verdict::found, end, Certainty::certain};
  return {Verdict::found, whole, Certainty::certain};
}

// --- VBC -----------------------------------------------------------------------------------------------------------------------------

Checked check_vbc(View from, bool is_last, Work& work) {
  const auto found = vbc::detect(from);
  if (!found || found->file.form.layout != vbc::Layout::current) {
    // other layouts are found out by following modules
    work.take(from.size() / kFailedShare);
    return cut(is_last);
  }
  std::uint64_t at = found->code_offset;
  bool has_code = false;
  for (const std::size_t size : found->stage_bytes) {
    if (size == 0) continue;
    if (!from.holds(static_cast<std::size_t>(at), size)) return cut(is_last);
    const View module = from.clamped(static_cast<std::size_t>(at), size);
    if (!spirv::is_module(module) || !spirv::parse(module)) return {};
    has_code = true;
    at += size;
  }
  if (!has_code || !work.take(at)) return {};
  return {Verdict::found, at, Certainty::certain};
}

// --- bitcode -------------------------------------------------------------------------------------------------------------------------

// src: LLVM, BitCodeFormat.rst
constexpr std::uint32_t kWrapperMagic = 0x0b17'c0de;
constexpr std::uint32_t kModuleBlock = 8;
/// What a block costs, in bytes: only its head is looked at.
constexpr std::uint64_t kBlockWork = 8;
/// Blocks that may be at the top: info, module, identification, string table, symbol table.
constexpr bool is_top_block(std::uint32_t block) {
  return block == 0 || block == kModuleBlock || block == 13 || block == 23 || block == 25;
}

/// Where the last block ends; 0 if there is no module, nothing if the bytes end before. Each block is work.
std::optional<std::size_t> stream_end(View stream, Work& work) {
  bool has_module = false;
  std::size_t at = 4;
  for (;;) {
    if (!work.take(kBlockWork)) return 0;
    const auto head = stream.u32(at);
    if (!head) return has_module ? std::optional(at) : std::nullopt;
    // ENTER_SUBBLOCK in 2 bits, the block's id as VBR8, the width of its abbreviation ids as VBR4; then the next word
    const std::uint32_t block = *head >> 2 & 0xff;
    if ((*head & 3) != 1 || !is_top_block(block) || *head >> 14 != 0) break;
    const auto words = stream.u32(at + 4);
    if (!words) return std::nullopt;
    if (*words > kLargestHit / 4) return 0;
    if (!stream.holds(at + 8, std::size_t{4} * *words)) return std::nullopt;
    at += 8 + std::size_t{4} * *words;
    has_module = has_module || block == kModuleBlock;
  }
  return has_module ? at : 0;
}

Checked check_bitcode(View from, bool is_last, Work& work) {
  std::size_t size = 0;
  if (*from.u32(0) == kWrapperMagic) {
    if (from.size() < 20) return cut(is_last);
    const std::uint64_t end = std::uint64_t{*from.u32(8)} + *from.u32(12);
    if (*from.u32(8) < 20 || end > kLargestHit) return {};
    if (end > from.size()) return cut(is_last, end);
    size = static_cast<std::size_t>(end);
  } else {
    const auto end = stream_end(from, work);
    if (!end) return cut(is_last);
    size = *end;
  }
  // what follows may be another block
  if (size == 0 || (!is_last && !from.holds(size, 8))) return size == 0 ? Checked{} : cut(is_last);
  if (!work.take(size)) return {};
  const auto module = dxil::parse_module(from.clamped(0, size));
  if (!module || !module->has_triple || !module->text(module->triple).starts_with("dxil")) return {};
  return {Verdict::found, size, Certainty::certain};
}

// --- program databases ---------------------------------------------------------------------------------------------------------------

Checked check_database(View from, bool is_last, Work& work) {
  if (from.size() < dxcontainer::kMsfMagic.size()) return cut(is_last);
  if (!dxcontainer::is_msf(from)) return {};
  const auto msf = dxcontainer::parse_msf(from);
  if (!msf) {
    work.take(from.size() / kFailedShare);
    return cut(is_last);
  }
  std::uint64_t blocks = 0;
  const auto count = [&](const dxcontainer::MsfStream& stream) {
    for (const std::uint32_t block : stream.blocks) blocks = std::max(blocks, std::uint64_t{block} + 1);
  };
  count(msf->directory_map);
  count(msf->directory);
  for (const dxcontainer::MsfStream& stream : msf->streams) count(stream);
  // blocks that are free may follow those in use; dxc states one fewer than there are
  if (std::uint64_t{msf->block_count} * msf->block_bytes <= from.size()) blocks = std::max(blocks, std::uint64_t{msf->block_count});
  const std::uint64_t size = blocks * msf->block_bytes;
  if (size > from.size()) return cut(is_last);
  if (!work.take(size) || !dxcontainer::find_container_in_pdb(from.clamped(0, static_cast<std::size_t>(size)))) return {};
  return {Verdict::found, size, Certainty::certain};
}

struct FormRow {
  Form form;
  std::string_view id;
  std::size_t largest;  ///< bytes; guess: ten times what was seen
  Checked (*check)(View from, bool is_last, Work& work);
};

constexpr FormRow kForms[] = {
    {Form::container, "container", kLargestHit, check_container}, {Form::spirv, "spirv", std::size_t{1} << 24, check_spirv},
    {Form::shbin, "shbin", std::size_t{1} << 20, check_shbin},    {Form::vbc, "vbc", std::size_t{1} << 24, check_vbc},
    {Form::bitcode, "bitcode", kLargestHit, check_bitcode},       {Form::database, "database", kLargestHit, check_database},
};

const FormRow& row_of(Form form) { return kForms[static_cast<std::size_t>(form)]; }
static_assert([] {
  for (std::size_t i = 0; i < std::size(kForms); ++i)
    if (kForms[i].form != static_cast<Form>(i)) return false;
  return true;
}());

}  // namespace

std::string_view id(Form form) { return row_of(form).id; }

Checked check(Form form, View from, bool is_last, Work& work) {
  const FormRow& row = row_of(form);
  if (work.left == 0) return {};
  const bool is_all = from.size() <= row.largest;
  const Checked checked = row.check(from.clamped(0, row.largest), is_last && is_all, work);
  return checked.verdict == Verdict::unfinished && from.size() >= row.largest ? Checked{} : checked;
}

}  // namespace unshade::find
