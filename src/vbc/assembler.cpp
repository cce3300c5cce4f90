// Reads what listing.cpp prints. A line is a statement; stages are handed to the assembler of SPIR-V.
#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>

#include <unshade/core/spelling.hpp>
#include <unshade/core/text/characters.hpp>
#include <unshade/core/text/line_counter.hpp>
#include <unshade/core/text/numbers.hpp>
#include <unshade/spirv/assembler.hpp>
#include <unshade/vbc/listing.hpp>

#include "vbc/code.hpp"
#include "vbc/directives.hpp"
#include "vbc/file_layout.hpp"
#include "vbc/stage_facts.hpp"

namespace unshade::vbc {

namespace {

constexpr bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

/// Decimal, or hexadecimal after 0x.
std::optional<std::uint64_t> number_of(std::string_view text) {
  int base = 10;
  if (text.starts_with("0x") || text.starts_with("0X")) {
    base = 16;
    text.remove_prefix(2);
  }
  return as_number<std::uint64_t>(text, base);
}

class Assembler {
 public:
  explicit Assembler(std::string_view text) : text_(text) {}

  Result<File> run() {
    while (at_ < text_.size() && !error_) line();
    if (!error_ && !has_head_) fail(text_.size(), ErrorCode::missing, "expected .vbc 1 graphics at the beginning");
    if (!error_) check();
    if (!error_) check_kept();
    if (error_) return *std::move(error_);
    return std::move(file_);
  }

 private:
  // --- words ---------------------------------------------------------------------------------------------------------------------------
  /// Up to the end of the line or a comment.
  std::string_view word() {
    while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
    word_at_ = at_;
    while (at_ < text_.size() && !is_blank(text_[at_]) && text_[at_] != '\n' && text_[at_] != ';') ++at_;
    return text_.substr(word_at_, at_ - word_at_);
  }
  bool at_end_of_line() {
    while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
    return at_ == text_.size() || text_[at_] == '\n' || text_[at_] == ';';
  }
  void skip_line() {
    at_ = std::min(text_.find('\n', at_), text_.size());
    if (at_ < text_.size()) ++at_;
  }
  /// The statement has no more words.
  void finish_line() {
    if (!error_ && !at_end_of_line()) fail(at_, ErrorCode::bad_value, "expected the end of the line");
    skip_line();
  }
  void fail(std::size_t offset, ErrorCode code, std::string message) {
    if (error_) return;
    error_ = Error{code, offset, line_and_column(text_, offset), std::move(message)};
  }
  void expected(std::string what) { fail(word_at_, ErrorCode::bad_value, "expected " + std::move(what)); }

  template <class Integer>
  void number(Integer& value, const char* what) {
    const auto found = number_of(word());
    if (!found || *found > static_cast<std::uint64_t>(static_cast<Integer>(~Integer{0})))
      return expected(std::string(what) + ", a number of at most " + std::to_string(8 * sizeof(Integer)) + " bits");
    value = static_cast<Integer>(*found);
  }
  template <class E>
  void enumerator(E& value, const NameTable& names, const char* what) {
    const std::string_view text = word();
    for (const NamedValue& named : names.values)
      if (named.id == text) {
        value = static_cast<E>(named.value);
        return;
      }
    const auto found = number_of(text);
    if (!found || *found > 0xff) {
      Nearest nearest(text);
      for (const NamedValue& named : names.values) nearest.consider(named.id);
      return expected(what + nearest.question());
    }
    value = static_cast<E>(*found);
  }
  void stages(std::uint16_t& mask) {
    std::string_view text = word();
    mask = 0;
    if (text == directive::kNone) return;
    while (!text.empty()) {
      const std::string_view part = text.substr(0, text.find('|'));
      text.remove_prefix(std::min(part.size() + 1, text.size()));
      std::optional<std::uint64_t> bits;
      for (const NamedValue& named : stage_mask_names().values)
        if (named.id == part) bits = named.value;
      if (!bits) bits = number_of(part);
      if (!bits || *bits > 0xffff) return expected("stages such as vertex|fragment, or none");
      mask = static_cast<std::uint16_t>(mask | *bits);
    }
  }
  /// float4x4, int3, bool, type(5,1,1); then [4].
  template <class Shape>
  void type(Shape& s) {
    std::string_view text = word();
    const auto bad = [&] { expected("a type such as float3, float4x4, int2[4] or type(4,3,1)"); };
    s.array_size = 1;
    if (text.ends_with(']')) {
      const std::size_t open = text.find('[');
      const auto size = open == std::string_view::npos ? std::nullopt : number_of(text.substr(open + 1, text.size() - open - 2));
      if (!size || *size > 0xff) return bad();
      s.array_size = static_cast<std::uint8_t>(*size);
      text = text.substr(0, open);
    }
    if (text.starts_with(directive::kType) && text.ends_with(')')) {
      text = text.substr(directive::kType.size(), text.size() - directive::kType.size() - 1);
      std::array<std::uint8_t, 3> parts{};
      for (std::uint8_t& part : parts) {
        const std::string_view one = text.substr(0, text.find(','));
        text.remove_prefix(std::min(one.size() + 1, text.size()));
        const auto value = number_of(one);
        if (!value || *value > 0xff) return bad();
        part = static_cast<std::uint8_t>(*value);
      }
      if (!text.empty()) return bad();
      s.type = static_cast<BaseType>(parts[0]);
      s.components = parts[1];
      s.columns = parts[2];
      return;
    }
    std::string_view base = text;
    while (!base.empty() && hex_digit(base.back()) >= 0 && base.back() <= '9') base.remove_suffix(1);
    std::string_view size = text.substr(base.size());
    std::uint8_t columns = 1;
    if (base.ends_with('x') && base.size() > 1) {
      if (size.empty()) return bad();
      columns = static_cast<std::uint8_t>(hex_digit(base[base.size() - 2]));
      base.remove_suffix(2);
    }
    if (size.size() > 1 || columns > 4) return bad();
    s.components = size.empty() ? std::uint8_t{1} : static_cast<std::uint8_t>(hex_digit(size[0]));
    s.columns = columns;
    for (const NamedValue& named : base_type_names().values) {
      if (named.id != base) continue;
      s.type = static_cast<BaseType>(named.value);
      if (s.type < BaseType::boolean || s.type > BaseType::real || s.components < 1 || s.components > 4) return bad();
      return;
    }
    bad();
  }
  /// Pairs of digits.
  void bytes(std::string_view digits, std::vector<std::byte>& out) {
    if (digits.size() % 2 != 0) return expected("pairs of hexadecimal digits");
    for (std::size_t i = 0; i < digits.size(); i += 2) {
      const int high = hex_digit(digits[i]);
      const int low = hex_digit(digits[i + 1]);
      if (high < 0 || low < 0) return expected("pairs of hexadecimal digits");
      out.push_back(static_cast<std::byte>(high * 16 + low));
    }
  }
  template <std::size_t N>
  void padding(std::array<std::uint8_t, N>& out) {
    if (error_ || at_end_of_line()) return;
    const std::size_t back = at_;
    if (word() != directive::kPadding) {
      at_ = back;
      return;
    }
    std::vector<std::byte> found;
    bytes(word(), found);
    if (error_) return;
    if (found.size() != N) return expected(std::to_string(N) + " bytes of padding");
    for (std::size_t i = 0; i < N; ++i) out[i] = static_cast<std::uint8_t>(found[i]);
  }
  void name(std::string& out) {
    const std::string_view text = word();
    if (!text.starts_with(directive::kHex)) {
      if (text.empty()) return expected("a name, or hex: and its bytes");
      out = text;
      return;
    }
    std::vector<std::byte> found;
    bytes(text.substr(directive::kHex.size()), found);
    for (const std::byte byte : found) out.push_back(static_cast<char>(byte));
  }

  // --- statements ----------------------------------------------------------------------------------------------------------------------
  void line() {
    if (at_end_of_line()) return skip_line();
    const std::string_view text = word();
    struct Statement {
      std::string_view word;
      void (Assembler::*run)();
      bool is_single = false;
    };
    static constexpr Statement kStatements[] = {
        {directive::kVbc, &Assembler::head, true},        {directive::kLayout, &Assembler::layout, true},
        {directive::kTables, &Assembler::tables, true},   {directive::kInput, &Assembler::input},
        {directive::kOutput, &Assembler::output},         {directive::kBinding, &Assembler::binding},
        {directive::kUniform, &Assembler::uniform, true}, {directive::kMember, &Assembler::member},
        {directive::kSubpass, &Assembler::subpass},       {directive::kSubpassBytes, &Assembler::subpass_bytes, true},
        {directive::kStage, &Assembler::stage},           {directive::kTrailing, &Assembler::trailing, true},
    };
    for (const Statement& statement : kStatements) {
      if (statement.word != text) continue;
      const auto bit = 1U << (&statement - kStatements);
      const bool is_repeated = (seen_ & bit) != 0 && statement.is_single;
      if (is_repeated) return fail(word_at_, ErrorCode::bad_value, std::string(text) + " is given twice");
      seen_ |= bit;
      if (!has_head_ && statement.word != directive::kVbc) return expected(".vbc 1 graphics at the beginning");
      (this->*statement.run)();
      return finish_line();
    }
    Nearest nearest(text);
    for (const Statement& statement : kStatements) nearest.consider(statement.word);
    expected("a directive such as .input, .binding or .stage" + nearest.question());
  }

  void head() {
    std::uint8_t version = 0;
    number(version, "the version");
    if (!error_ && version != kVersion) return expected("version 1");
    if (!error_ && word() != directive::kGraphics) return expected("graphics");
    has_head_ = true;
  }
  void layout() { enumerator(file_.form.layout, layout_names(), "a layout such as current"); }
  void tables() {
    tables_at_ = word_at_;
    while (!error_ && !at_end_of_line()) {
      const std::string_view text = word();
      const auto* info = std::find_if(std::begin(kTableInfos), std::end(kTableInfos), [&](const TableInfo& t) { return t.name == text; });
      if (info == std::end(kTableInfos)) return expected("samplers, images, buffers, ro_texels or rw_texels");
      number(file_.tables.*info->size, "the size of a table");
    }
  }
  void variable(std::vector<Variable>& out) {
    Variable v;
    number(v.location, "a location");
    if (!error_) type(v);
    padding(v.padding);
    out.push_back(v);
  }
  void input() {
    input_at_.push_back(word_at_);
    variable(file_.inputs);
  }
  void output() {
    output_at_.push_back(word_at_);
    variable(file_.outputs);
  }
  void binding() {
    binding_at_.push_back(word_at_);
    Binding b;
    number(b.slot, "a slot");
    if (!error_) enumerator(b.type, base_type_names(), "a kind of binding such as sampler");
    if (!error_) stages(b.stages);
    if (error_) return;
    if (is_buffer(b.type)) {
      number(b.struct_bytes, "the size of the struct in bytes");
    } else {
      enumerator(b.rank, rank_names(), "a rank such as 2d");
      if (!error_) enumerator(b.texel, texel_type_names(), "a texel type such as float");
      if (!error_) number(b.component_bytes, "the size of a component in bytes");
      if (!error_) number(b.components, "the number of components");
    }
    padding(b.padding);
    file_.bindings.push_back(b);
  }
  void uniform() {
    uniform_at_ = word_at_;
    number(file_.uniform.size, "the size of the uniform");
    if (!error_) stages(file_.uniform.stages);
    has_uniform_ = true;
  }
  void member() {
    if (!has_uniform_) return expected(".uniform before its members");
    Member m;
    number(m.offset, "an offset");
    if (!error_) type(m);
    if (!error_) name(m.name);
    file_.uniform.members.push_back(std::move(m));
  }
  void subpass_bytes() { number(file_.form.subpass_bytes, "the size of a record in bytes"); }
  void subpass() {
    subpass_at_.push_back(word_at_);
    SubpassInput s;
    enumerator(s.texel, texel_type_names(), "a texel type such as float");
    if (!error_) number(s.components, "the number of components");
    padding(s.padding);
    if (!error_ && !at_end_of_line()) {
      if (word() != directive::kImage) return expected("image, or the end of the line");
      s.image.emplace();
      bytes(word(), s.image->string);
      if (!error_) number(s.image->index, "an index");
      if (!error_) number(s.image->padding, "padding");
      if (!error_) number(s.image->format, "an address");
    }
    file_.subpass_inputs.push_back(std::move(s));
  }
  void stage() {
    const std::string_view text = word();
    std::size_t found = 0;
    while (found < kStages && id(static_cast<Stage>(found)) != text) ++found;
    if (found == kStages) {
      Nearest nearest(text);
      for (std::size_t i = 0; i < kStages; ++i) nearest.consider(id(static_cast<Stage>(i)));
      return expected("a stage such as vertex" + nearest.question());
    }
    if (!file_.stages[found].empty()) return expected("a stage that is not given above");
    if (!at_end_of_line()) {
      if (word() != directive::kBytes) return expected("bytes, or the end of the line");
      return byte_lines(file_.stages[found]);
    }
    skip_line();
    const std::size_t from = at_;
    const auto end = end_of_stage();
    if (!end) return fail(from, ErrorCode::missing, "expected .end after the stage");
    auto code = spirv::assemble(text_.substr(from, *end - from));
    if (!code) return fail(from + static_cast<std::size_t>(code.error().offset), code.error().code, code.error().message);
    file_.stages[found] = *std::move(code);
    at_ = *end;
    static_cast<void>(word());  // .end
  }
  void trailing() { byte_lines(file_.trailing); }

  /// Digits up to a line that is .end.
  void byte_lines(std::vector<std::byte>& out) {
    for (;;) {
      skip_line();
      if (at_ >= text_.size()) return fail(at_, ErrorCode::missing, "expected .end");
      const std::string_view text = word();
      if (text == directive::kEnd) return;
      bytes(text, out);
      if (error_ || !at_end_of_line()) return expected("pairs of hexadecimal digits");
    }
  }

  /// Where the .end is that no text or comment of the SPIR-V holds.
  std::optional<std::size_t> end_of_stage() const {
    bool is_quoted = false;
    bool is_line_start = true;
    for (std::size_t i = at_; i < text_.size(); ++i) {
      const char c = text_[i];
      if (is_quoted) {
        if (c == '\\') ++i;
        if (c == '"') is_quoted = false;
        continue;
      }
      if (is_line_start && text_.substr(i).starts_with(directive::kEnd)) {
        const std::string_view behind = text_.substr(i + directive::kEnd.size());
        if (behind.empty() || is_blank(behind[0]) || behind[0] == '\n' || behind[0] == ';') return i;
      }
      if (c == ';') {
        i = std::min(text_.find('\n', i), text_.size());
        is_line_start = true;
      } else if (c == '"') {
        is_quoted = true;
      } else {
        is_line_start = c == '\n' || (is_line_start && is_blank(c));
      }
    }
    return std::nullopt;
  }

  /// That the layout can say it all.
  void check() {
    const Form& form = file_.form;
    if (static_cast<std::size_t>(form.layout) >= kLayouts) return fail(0, ErrorCode::bad_value, "unknown layout");
    const std::uint8_t bytes = form.subpass_bytes;
    if (bytes != Form::kSubpassBytes && bytes != 40 && bytes != 48 && bytes != 56)
      return fail(0, ErrorCode::bad_value, "the size of a subpass record must be 4, 40, 48 or 56 bytes");
    for (const SubpassInput& s : file_.subpass_inputs)
      if (s.image && s.image->string.size() + 16 != bytes)
        return fail(0, ErrorCode::bad_value, "the size of the image differs from .subpass_bytes");
    const LayoutTraits& t = traits(form.layout);
    const std::size_t most = t.wide_counts ? 0xffff'ffff : 0xff;
    if (std::max({file_.inputs.size(), file_.outputs.size(), file_.bindings.size()}) > most)
      return fail(0, ErrorCode::limit, "the table has more than 255 records");
    if (t.wide_uniform) return;
    for (const Member& m : file_.uniform.members)
      if (m.name.size() > 0xff || m.offset > 0xffff)
        return fail(0, ErrorCode::limit, "the name of a member exceeds 255 bytes, or its offset 65535");
    if (file_.uniform.size > 0xffff) return fail(0, ErrorCode::limit, "the size of the uniform exceeds 65535 bytes");
  }

  /// That nothing of the text gets lost in the file: older layouts have no place for some fields, and take others from the SPIR-V.
  void check_kept() {
    const std::vector<std::byte> bytes = write(file_);
    const auto read = parse(view_of(bytes));
    if (!read) return fail(0, ErrorCode::bad_value, "the assembled file cannot be read: " + to_string(read.error()));
    const auto same = [&](const auto& stated, const auto& found, const std::vector<std::size_t>& places, const char* what) {
      for (std::size_t i = 0; i < stated.size() && !error_; ++i)
        if (i >= found.size() || stated[i] != found[i])
          fail(places[i], ErrorCode::bad_value, std::string("this ") + what + " has no encoding in the layout, or contradicts the SPIR-V");
    };
    if (read->form != file_.form) return fail(0, ErrorCode::bad_value, "the assembled file reads as another layout");
    same(file_.inputs, read->inputs, input_at_, "input");
    same(file_.outputs, read->outputs, output_at_, "output");
    same(file_.bindings, read->bindings, binding_at_, "binding");
    same(file_.subpass_inputs, read->subpass_inputs, subpass_at_, "subpass input");
    if (read->tables != file_.tables) fail(tables_at_, ErrorCode::bad_value, "these table sizes have no encoding in the layout");
    if (read->uniform != file_.uniform) fail(uniform_at_, ErrorCode::bad_value, "this uniform has no encoding in the layout");
    if (read->stages != file_.stages || read->trailing != file_.trailing)
      fail(0, ErrorCode::bad_value, "the assembled file reads with other stages");
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t word_at_ = 0;
  std::size_t tables_at_ = 0;
  std::size_t uniform_at_ = 0;
  std::vector<std::size_t> input_at_;
  std::vector<std::size_t> output_at_;
  std::vector<std::size_t> binding_at_;
  std::vector<std::size_t> subpass_at_;
  bool has_head_ = false;
  unsigned seen_ = 0;  // statements, by their place in the table
  bool has_uniform_ = false;
  File file_;
  std::optional<Error> error_;
};

}  // namespace

Result<File> assemble(std::string_view text) { return Assembler(text).run(); }

}  // namespace unshade::vbc
