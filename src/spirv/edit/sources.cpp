// Source texts: OpString with a name, OpSource with the text, OpSourceContinued with the rest if one instruction cannot hold it.
// src: SPIR-V specification, 2.4 "Logical Layout of a Module", 3.52.2 "Debug Instructions"
#include <algorithm>
#include <string>
#include <unordered_map>

#include <unshade/spirv/edit.hpp>
#include <unshade/spirv/id_map.hpp>
#include <unshade/spirv/word_writer.hpp>

#include "spirv/grammar/instruction_words.hpp"

namespace unshade::spirv {

namespace {

// Words of instructions that are looked at.
constexpr std::uint32_t kResult = 1;      // of OpString
constexpr std::uint32_t kStringText = 2;  // of OpString
constexpr std::uint32_t kLanguageWord = 1, kVersionWord = 2, kFileWord = 3;
constexpr std::uint32_t kLineFile = 1;
constexpr std::size_t kSourceWords = 4;  // before the text
constexpr std::size_t kContinuedWords = 1;

/// How much of a text fits into so many words with its zero; a character of several bytes is not parted.
std::string_view piece_of(std::string_view text, std::size_t words) {
  const std::size_t most = 4 * words - 1;
  if (text.size() <= most) return text;
  std::size_t size = most;
  while (size > most - 4 && (static_cast<unsigned char>(text[size]) & 0xc0) == 0x80) --size;
  return text.substr(0, size);
}

}  // namespace

DebugSourceRole debug_source_role(const Instruction& instruction, const IdTable& ids) {
  using Shader = extended::ShaderDebugInfo100;
  constexpr std::uint32_t kSet = 3, kNumber = 4;
  if (!is_extended(instruction.opcode())) return DebugSourceRole::none;
  const std::uint32_t number = instruction.word(kNumber);
  switch (ids.set(instruction.word(kSet))) {
    case ExtendedSet::ShaderDebugInfo100:
      if (number == static_cast<std::uint32_t>(Shader::debug_source)) return DebugSourceRole::source;
      return number == static_cast<std::uint32_t>(Shader::debug_source_continued) ? DebugSourceRole::continued : DebugSourceRole::none;
    case ExtendedSet::OpenClDebugInfo100:
      return number == static_cast<std::uint32_t>(extended::OpenClDebugInfo100::debug_source) ? DebugSourceRole::source
                                                                                              : DebugSourceRole::none;
    default: return DebugSourceRole::none;
  }
}

namespace {

class SourceEmbedder {
 public:
  SourceEmbedder(const Module& module, std::span<const SourceText> files) : module_(module), files_(files), bound_(module.header().bound) {}

  Result<std::vector<std::byte>> run() {
    for (const SourceText& file : files_) {
      if (file.name.find('\0') != std::string_view::npos || file.text.find('\0') != std::string_view::npos)
        return fault(ErrorCode::bad_value,
                     "SPIR-V strings are zero-terminated, and " + std::string(file.name.substr(0, 64)) + " contains a zero");
      if (WordWriter::text_words(file.name) > grammar::kMostWords - 2)
        return fault(ErrorCode::limit, "a name exceeds the length of an instruction");
    }
    if (files_.size() > 0xffff'ffffU - bound_) return fault(ErrorCode::limit, "the module's id bound is too high to add ids");
    look();
    bool is_put = false;
    for (const Instruction i : module_) {
      if (!is_put && i.is_behind(Section::sources)) {
        put_sources();
        is_put = true;
      }
      if (debug_source_role(i, table_) == DebugSourceRole::source && i.word_count() > kDebugSourceText) {
        // the text is that of OpSource now
        out_.put_head(i.opcode(), kDebugSourceText);
        for (std::uint32_t word = 1; word < kDebugSourceText; ++word) out_.put(i.word(word));
      } else if (!goes(i)) {
        out_.copy(i);
      }
    }
    if (!is_put) put_sources();
    out_.set_bound(bound_);
    return out_.take();
  }

 private:
  struct Id {
    bool is_used = false;       ///< by an instruction that stays, or a new one
    bool is_of_source = false;  ///< the name of what was there
  };

  Error fault(ErrorCode code, std::string message) const { return {code, module_.bytes().file_offset(), "module", std::move(message)}; }

  void look() {
    for (const Instruction i : module_) {
      switch (i.opcode()) {
        case Opcode::source:
          if (!has_source_ && i.word_count() > kVersionWord) {
            language_ = i.word(kLanguageWord);
            version_ = i.word(kVersionWord);
          }
          has_source_ = true;
          break;
        case Opcode::line:
          if (i.word_count() > kLineFile) ids_[i.word(kLineFile)].is_used = true;
          break;
        case Opcode::ext_inst:
        case Opcode::ext_inst_with_forward_refs_khr:
          for (std::uint32_t word = grammar::kExtendedOperandsWord; word < i.word_count(); ++word) {
            Id& id = ids_[i.word(word)];
            (is_debug_text(i, word) ? id.is_of_source : id.is_used) = true;
          }
          break;
        default: break;
      }
    }
    for (const Instruction i : module_) {
      if (i.opcode() == Opcode::string && i.word_count() > kStringText)
        strings_.try_emplace(literal_string(i, kStringText), i.word(kResult));
      if (i.opcode() == Opcode::source && i.word_count() > kFileWord) ids_[i.word(kFileWord)].is_of_source = true;
    }
    for (const SourceText& file : files_)
      if (const auto known = strings_.find(std::string(file.name)); known != strings_.end()) ids_[known->second].is_used = true;
  }

  bool is_debug_text(const Instruction& i, std::uint32_t word) const {
    const DebugSourceRole role = debug_source_role(i, table_);
    return role == DebugSourceRole::continued || (role == DebugSourceRole::source && word == kDebugSourceText);
  }

  /// The old sources, and the names and texts that only they used.
  bool goes(const Instruction& i) const {
    if (i.opcode() == Opcode::source || i.opcode() == Opcode::source_continued) return true;
    if (debug_source_role(i, table_) == DebugSourceRole::continued) return true;
    if (i.opcode() != Opcode::string || i.word_count() <= kResult) return false;
    const Id& name = ids_.get(i.word(kResult));
    return name.is_of_source && !name.is_used;
  }

  void put_sources() {
    std::vector<std::uint32_t> names;
    for (const SourceText& file : files_) {
      const auto [known, is_new] = strings_.try_emplace(std::string(file.name), bound_);
      names.push_back(known->second);
      if (!is_new) continue;
      out_.put_head(Opcode::string, kStringText + WordWriter::text_words(file.name));
      out_.put(bound_++);
      out_.put_text(file.name);
    }
    for (std::size_t i = 0; i < files_.size(); ++i) {
      std::string_view rest = files_[i].text;
      std::string_view piece = piece_of(rest, grammar::kMostWords - kSourceWords);
      out_.put_head(Opcode::source, kSourceWords + WordWriter::text_words(piece));
      out_.put(language_);
      out_.put(version_);
      out_.put(names[i]);
      out_.put_text(piece);
      for (rest.remove_prefix(piece.size()); !rest.empty(); rest.remove_prefix(piece.size())) {
        piece = piece_of(rest, grammar::kMostWords - kContinuedWords);
        out_.put_head(Opcode::source_continued, kContinuedWords + WordWriter::text_words(piece));
        out_.put_text(piece);
      }
    }
  }

  const Module& module_;
  const IdTable table_{module_};
  std::span<const SourceText> files_;
  WordWriter out_{module_};
  std::uint32_t bound_;
  std::uint32_t language_ = 0;  // unknown
  std::uint32_t version_ = 0;
  bool has_source_ = false;
  IdMap<Id> ids_;
  std::unordered_map<std::string, std::uint32_t> strings_;
};

}  // namespace

Result<std::vector<std::byte>> embed_sources(const Module& module, std::span<const SourceText> files) {
  return SourceEmbedder(module, files).run();
}

}  // namespace unshade::spirv
