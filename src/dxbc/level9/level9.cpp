#include <unshade/dxbc/level9.hpp>

#include <utility>

#include <unshade/core/archive/reader.hpp>
#include <unshade/core/archive/writer.hpp>
#include <unshade/dxbc/level9/sm2_tokens.hpp>

#include "dxbc/level9/layout.hpp"
#include "dxbc/level9/sm2_comments_layout.hpp"

namespace unshade::dxbc {

namespace {

constexpr NamedValue kConversions[] = {{0, "float"}, {1, "bool"}, {2, "int"}, {3, "uint"}};
constexpr NameTable kConversionNames{kConversions};
constexpr FieldType kConversionType{FieldKind::enumeration, "conversion", &kConversionNames};

constexpr NamedValue kRuntimeConstants[] = {{0, "position_offset"}};
constexpr NameTable kRuntimeConstantNames{kRuntimeConstants};
constexpr FieldType kRuntimeConstantType{FieldKind::enumeration, "runtime constant", &kRuntimeConstantNames};

constexpr std::size_t kTokenBytes = 4;

/// Makes leaves of a token stream, one token each; comments by their own descriptions.
class Sm2Recorder {
 public:
  Sm2Recorder(View program, Tree& tree, std::uint32_t group) : program_(program), tree_(tree), group_(group) {}

  void record() {
    sm2::Cursor cursor(program_);
    version_ = cursor.version();
    if (program_.size() < kTokenBytes) return;
    leaf("version", sm2::kVersionToken, group_, 0);
    sm2::Instruction instruction;
    std::uint32_t index = 0;
    while (cursor.next(instruction)) {
      const char* const name = instruction.is_comment() ? "comment" : instruction.info != nullptr ? instruction.info->id : "instruction";
      const std::uint32_t group = tree_.add(
          {name, &kGroup, group_, file_offset(instruction.offset), instruction.length_tokens * std::uint32_t{kTokenBytes}, index++, 0});
      leaf("token", instruction.is_comment() ? sm2::kCommentToken : sm2::kInstructionToken, group, instruction.offset);
      if (instruction.is_comment()) {
        comment(instruction, group);
      } else {
        operands(instruction, group);
      }
    }
    if (cursor.state() == sm2::Cursor::State::ended) {
      leaf("end", sm2::kInstructionToken, group_, cursor.position());
    } else {
      tree_.fail({ErrorCode::truncated, program_.file_offset() + cursor.position(), tree_.path(group_) + "/tokens",
                  "the token stream has no end token"});
    }
  }

 private:
  std::uint32_t file_offset(std::uint32_t at) const { return static_cast<std::uint32_t>(program_.file_offset() + at); }

  void leaf(const char* name, const FieldType& type, std::uint32_t group, std::uint32_t at) {
    tree_.add({name, &type, group, file_offset(at), kTokenBytes, kNoIndex, version_.token});
  }

  void operands(const sm2::Instruction& instruction, std::uint32_t group) {
    std::uint32_t at = instruction.offset + kTokenBytes;
    const std::uint32_t end = instruction.offset + instruction.length_tokens * std::uint32_t{kTokenBytes};
    const auto next = [&](const char* name, const FieldType& type) {
      const auto token = program_.u32(at).value_or(0);
      leaf(name, type, group, at);
      at += kTokenBytes;
      return token;
    };
    const std::size_t shape_tokens = instruction.info != nullptr ? instruction.info->token_count : 0;
    for (std::size_t i = 0; i < shape_tokens && at < end; ++i) {
      const char kind = instruction.info->tokens[i];
      if (sm2::OpcodeInfo::is_operand(kind)) {
        const bool is_destination = sm2::OpcodeInfo::is_destination(kind);
        const auto token = is_destination ? next("destination", sm2::kDestinationToken) : next("source", sm2::kSourceToken);
        if (sm2::kRelativeBit.get(token) != 0 && version_.major() >= 2 && at < end) next("relative", sm2::kSourceToken);
        if (is_destination && sm2::kPredicatedBit.get(instruction.token) != 0 && at < end) next("predicate", sm2::kSourceToken);
        continue;
      }
      switch (kind) {
        case 'u': next("usage", sm2::kUsageToken); break;
        case 'f': next("value", kReal); break;
        case 'i': next("value", kSigned); break;
        default: next("value", kUnsigned); break;
      }
    }
    while (at < end) next("token", instruction.info == nullptr ? kHex : kUnknown);
  }

  template <class T>
  void comment_part(View comment, const char* name, std::uint32_t group) {
    T model;
    record_part(comment.clamped(kTokenBytes, comment.size()), name, tree_, group, model);
  }

  void comment(const sm2::Instruction& instruction, std::uint32_t group) {
    const View body = instruction.body;
    const auto kind = body.u32(0);
    if (kind) leaf("kind", kFourCC, group, instruction.offset + kTokenBytes);
    // One of each kind is all that compilers write; more could be made to cost far more than their bytes.
    if (kind == sm2::kDebugComment && !std::exchange(has_debug_comment_, true)) {
      comment_part<sm2::DebugInfo>(body, "DBUG", group);
    } else if (kind == sm2::kConstantComment && !std::exchange(has_constant_comment_, true)) {
      comment_part<sm2::ConstantTable>(body, "CTAB", group);
    } else if (body.size() > kTokenBytes) {
      tree_.add({"bytes", &kBytes, group, file_offset(instruction.offset + 2 * kTokenBytes),
                 static_cast<std::uint32_t>(body.size() - kTokenBytes), kNoIndex, 0});
    }
  }

  View program_;
  Tree& tree_;
  std::uint32_t group_;
  sm2::Version version_;
  bool has_debug_comment_ = false;
  bool has_constant_comment_ = false;
};

bool is_placed(const Level9& level9) {
  return level9.program_offset != kUnplaced && level9.constant_buffers.offset != kUnplaced && level9.integers.offset != kUnplaced &&
         level9.booleans.offset != kUnplaced && level9.samplers.offset != kUnplaced && level9.runtime_constants.offset != kUnplaced;
}

}  // namespace

const FieldType& field_type(ConstantConversion) { return kConversionType; }
const FieldType& field_type(RuntimeConstant) { return kRuntimeConstantType; }

bool is_level9(std::uint32_t fourcc) { return dxcontainer::role_of(fourcc) == dxcontainer::PartRole::level9; }

Result<Level9> parse_level9(const dxcontainer::Part& part) {
  Level9 level9;
  auto done = read_part(part.data, part.name(), level9);
  if (!done) return std::move(done).error();
  if (auto checked = sm2::check(level9.program); !checked) return std::move(checked).error().within("program").within(part.name());
  return level9;
}

void record_level9(const dxcontainer::Part& part, Tree& tree, std::uint32_t group) {
  Level9 level9;
  const std::size_t errors = tree.errors().size();
  record_part(part.data, part.name(), tree, group, level9);
  if (tree.errors().size() != errors) return;
  const View program = level9.program;
  const std::uint32_t below = tree.add({"program", &kGroup, group, static_cast<std::uint32_t>(program.file_offset()),
                                        static_cast<std::uint32_t>(program.size()), kNoIndex, 0});
  Sm2Recorder(program, tree, below).record();
}

// observed: fxc writes samplers, constant buffers, integers, booleans and runtime constants in this order, then the program; an empty
// table's offset is where it would be.
void place_as_fxc(Level9& level9) {
  if (is_placed(level9)) return;
  std::uint32_t at = kLevel9HeaderBytes;
  const auto next = [&](auto& table, std::size_t stride) {
    table.offset = at;
    at += static_cast<std::uint32_t>(table.size() * stride);
  };
  next(level9.samplers, kSamplerMappingBytes);
  next(level9.constant_buffers, kConstantBufferMappingBytes);
  next(level9.integers, kScalarMappingBytes);
  next(level9.booleans, kScalarMappingBytes);
  next(level9.runtime_constants, kRuntimeConstantMappingBytes);
  level9.program_offset = at;
  level9.size = at + static_cast<std::uint32_t>(level9.program.size());
}

std::vector<std::byte> write_level9(const Level9& level9) {
  Level9 placed = level9;
  place_as_fxc(placed);
  return write_part(std::move(placed));
}

}  // namespace unshade::dxbc
