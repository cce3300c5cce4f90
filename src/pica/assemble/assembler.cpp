// Sources in, a program out: lines and labels, the executables' ends, addresses.
#include <unshade/core/text/input_text.hpp>
#include <unshade/pica/assembler.hpp>
#include <unshade/pica/segments.hpp>
#include <unshade/pica/text_language.hpp>

#include <algorithm>
#include <array>
#include <cstring>
#include <deque>
#include <map>
#include <set>
#include <utility>

#include <unshade/core/text.hpp>
#include <unshade/core/text/color_escapes.hpp>

#include "pica/assemble/dialect.hpp"
#include "pica/assemble/state.hpp"
#include "pica/characters.hpp"
#include "pica/text_adder.hpp"

namespace unshade::pica {

namespace {

constexpr Rule kMessageRules[] = {
#define PICA_MESSAGE(id, text, severity, summary) {"as." text, Severity::severity, summary},
#include <unshade/pica/assembler_messages.def>
#undef PICA_MESSAGE
};

}  // namespace

const Rule& rule(MessageKind message) { return kMessageRules[static_cast<std::size_t>(message)]; }

std::span<const Rule> assembler_rules() { return kMessageRules; }

namespace assembler {

using namespace characters;

namespace {

/// The vendor numbers labels from here.
constexpr std::uint32_t kFirstLabel = 0x1'0000;
/// Lines beyond this are not counted apart.
constexpr std::uint32_t kMostFiles = 1 << 16;

}  // namespace

Unit& Assembler::unit() {
  if (unit_ == nullptr) {
    unit_ = &units_.emplace_back();
    unit_->file = file_;
    unit_->line = line_;
  }
  return *unit_;
}

void Assembler::begin_unit(std::uint32_t file) {
  file_ = file;
  unit_ = nullptr;
  for (Pool& pool : vertex_pools_.of) pool.local = pool.end;
  labels_.clear();
  aliases_.clear();
  register_aliases_ = false;
  memory_.forget();
  first_procedure_ = procedures_.entries().size();
  own_main_ = false;
}

void Assembler::end_unit() {
  if (own_main_ && blocks_.size() == 1) {
    at_ = line_start_ = end_;
    do_end();
  }
  if (!blocks_.empty()) {
    const Block& block = blocks_.back();
    report(MessageKind::unclosed_block, file_, block.line, block.column, "expected .end for the block that begins here");
    blocks_.clear();
  }
  for (const Fixup& jump : jumps_) {
    if (const CodeLabel* label = labels_.find(jump.name)) {
      std::uint32_t& word = code_[jump.word];
      word = (word & ~(0xfffU << 10)) | (label->address & 0xfff) << 10;
    } else {
      report(MessageKind::undefined_label, jump.file, jump.line, jump.column,
             "expected a label of this source, found `" + std::string(jump.name) + '`');
    }
  }
  jumps_.clear();
  check_label_records();
  if (options_.labels && unit_ != nullptr && !unit_->hidden) {
    auto& records = unit_->executable.labels.items;
    const auto add = [&](std::string_view text, std::uint32_t address, std::uint32_t length) {
      Label label;
      label.id = kFirstLabel + label_count_++;
      label.address_words = address;
      label.length = length;
      label.symbol.text = text;
      records.push_back(std::move(label));
    };
    const auto& procedures = procedures_.entries();
    for (std::size_t i = first_procedure_; i < procedures.size(); ++i)
      add(procedures[i].name, procedures[i].value.start, procedures[i].value.size);
    for (const auto& label : labels_.entries()) add(label.name, label.value.address, Label::kNoLength);
  }
}

// Names in the code are stored nowhere where .label states the records, unless those are asked for too: the listing takes them from the
// first record of an address that can be a name and that no other address has.
void Assembler::check_label_records() {
  if (options_.labels || unit_ == nullptr || unit_->executable.labels.empty()) return;
  struct Stated {
    std::set<std::string_view> all;
    std::string_view listed;
  };
  std::map<std::uint32_t, Stated> records;
  for (const Label& label : unit_->executable.labels) {
    Stated& stated = records[label.address_words];
    const std::string_view text = label.symbol.text;
    stated.all.insert(text);
    if (stated.listed.empty() && is_name(text) && text.size() <= kNameLength && procedures_.find(text) == nullptr &&
        labels_.find(text) == nullptr)
      stated.listed = text;
  }
  const auto check = [&](std::string_view name, std::uint32_t address, const NamePlace& place) {
    const auto stated = records.find(address);
    if (stated == records.end() || stated->second.listed.empty() || stated->second.all.contains(name)) return;
    report(MessageKind::label_name, place.file, place.line, place.column,
           '`' + std::string(name) + "` is not stored: .label calls its address `" + std::string(stated->second.listed) + '`');
  };
  const auto& procedures = procedures_.entries();
  for (std::size_t i = first_procedure_; i < procedures.size(); ++i)
    check(procedures[i].name, procedures[i].value.start, procedures[i].value.place);
  for (const auto& label : labels_.entries()) check(label.name, label.value.address, label.value.place);
}

// `# 12 "file"` or `#line 12 "file"` of a preprocessor: the next line is line 12 of that file. `#pragma`: of the older linker's language.
// To picasso every other directive is a marker too, of line 0; here they are errors, since nothing is made of `#if` or `#define`.
void Assembler::line_marker() {
  const char* const begin = at_;
  ++at_;
  blanks();
  const char* from = at_;
  if (at_ != end_ && is(*at_, kName) && !is(*at_, kDigit)) {
    const std::string_view text = name();
    if (text == "pragma") {
      pragma();
      begun_ = true;
      return;
    }
    if (text != "line") at_ = from;
  }
  blanks();
  const char* stop = at_;
  while (stop != end_ && *stop != '\n') ++stop;
  if (at_ == end_ || !is(*at_, kDigit)) {
    fail(MessageKind::unknown_statement, begin,
         "expected a line marker such as # 12 \"file\", found " + found(begin) + ": preprocessor directives are not supported");
    at_ = stop;
    return;
  }
  const std::int64_t number = decimal();
  blanks();
  std::string_view text(at_, static_cast<std::size_t>(stop - at_));
  if (text.starts_with('"')) {
    text.remove_prefix(1);
    text = text.substr(0, text.find('"'));
    if ((files_.empty() || files_[file_] != text) && files_.size() < kMostFiles) {
      files_.push_back(text);
      file_ = static_cast<std::uint32_t>(files_.size() - 1);
    }
  }
  line_ = static_cast<std::uint32_t>(number) - 1;
  at_ = stop;
}

// In the older linker's language `main:` opens the program and `endmain:` closes it. To picasso `main:` outside of a procedure is a label
// that nothing can follow, so if `endmain:` comes later the source is of the older language.
bool Assembler::ends_older_program(const char* from) const {
  return std::string_view(from, static_cast<std::size_t>(end_ - from)).find("endmain:") != std::string_view::npos;
}

// Labels, as many as there are, then what they precede.
void Assembler::labels_and_statement() {
  bool good = true;
  while (good && !at_end() && is(*at_, kName)) {
    const char* from = at_;
    const char* stop = at_;
    while (stop != end_ && is(*stop, kName)) ++stop;
    if (stop == end_ || *stop != ':') break;
    const std::string_view text(from, static_cast<std::size_t>(stop - from));
    at_ = stop + 1;
    begun_ = true;
    if (text == "endmain" && own_main_ && blocks_.size() == 1) {
      own_main_ = false;
      good = do_end();
    } else if (text == "main" && blocks_.empty() && ends_older_program(at_)) {
      own_main_ = true;
      good = open(Block::Kind::procedure, from, text);
    } else if (!is_name(text)) {
      good = fail(MessageKind::invalid_name, from, "expected the name of a label, found " + found(from));
    } else if (labels_.full()) {
      good = fail(MessageKind::too_many, from, "too many labels");
    } else if (!labels_.add(text, {static_cast<std::uint32_t>(code_.size()), {file_, line_, column(from)}})) {
      good = fail(MessageKind::duplicate_label, from, "the label `" + std::string(text) + "` is already defined");
    }
    blanks();
  }
  if (good && !at_end()) {
    if (*at_ == '#') {
      line_marker();
    } else {
      statement();
      begun_ = true;
    }
  }
}

void Assembler::source(const Source& source) {
  if (stop_) return;
  files_.push_back(source.name);
  want_lines_ = want_lines_ || options_.line_info;
  place_.reset();
  at_ = line_start_ = source.text.data();
  end_ = at_ + source.text.size();
  if (source.text.starts_with("\xEF\xBB\xBF")) at_ += 3;
  // a word for about so many characters
  code_.reserve(std::min<std::size_t>(code_.size() + source.text.size() / 16, kProgramWords));
  line_ = 1;
  begin_unit(static_cast<std::uint32_t>(files_.size() - 1));
  while (!stop_) {
    line_start_ = at_;
    blanks();
    if (!blocks_.empty() && unit_ != nullptr && !exact_) plain_lines();
    labels_and_statement();
    // what is left is a comment, or was complained about
    if (at_ != end_ && *at_ != '\n') {
      const void* next = std::memchr(at_, '\n', static_cast<std::size_t>(end_ - at_));
      at_ = next == nullptr ? end_ : static_cast<const char*>(next);
    }
    if (at_ == end_) break;
    ++at_;
    ++line_;
  }
  end_unit();
}

void Assembler::print_header(std::string& out) const {
  Text text;
  text << "// Generated by unshade\n#pragma once\n";
  std::set<std::pair<bool, std::string_view>> known;
  const auto print = [&](const NamedRegisters& uniform, bool geometry) {
    if (!known.emplace(geometry, uniform.name).second) return;
    const std::string_view prefix = geometry ? "#define GSH_" : "#define VSH_";
    text << prefix;
    if (uniform.type == UniformType::real) {
      text << "FVEC_" << uniform.name << " 0x";
      upper_hex(text, uniform.first - kFloat0);
    } else if (uniform.type == UniformType::integer) {
      text << "IVEC_" << uniform.name << " 0x";
      upper_hex(text, uniform.first - kInteger0);
    } else {
      text << "FLAG_" << uniform.name << (uniform.size == 1 ? " BIT(" : "(_n) BIT(");
      text.dec(uniform.first - kBool0) << (uniform.size == 1 ? ")" : "+(_n))");
    }
    text << '\n' << prefix << "ULEN_" << uniform.name << ' ';
    text.dec(uniform.size) << '\n';
  };
  // those of several sources have the prefix of the first executable. src: picasso
  const bool is_geometry = !units_.empty() && units_.front().geometry;
  for (const NamedRegisters& uniform : shared_)
    if (!uniform.name.starts_with('_')) print(uniform, is_geometry);
  for (const NamedRegisters& uniform : named_) print(uniform, units_[uniform.unit].geometry);
  out = text.str();
}

void Assembler::upper_hex(Text& text, std::uint32_t value) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  text << kDigits[value >> 4 & 15] << kDigits[value & 15];
}

void Assembler::finish(Assembly& assembly) {
  for (const Fixup& call : calls_) {
    const Procedure* procedure = procedures_.find(call.name);
    if (procedure == nullptr) {
      report(MessageKind::undefined_procedure, call.file, call.line, call.column,
             "expected a procedure, found `" + std::string(call.name) + '`');
      continue;
    }
    if (procedure->size > 0x3ff) {
      report(MessageKind::block_size, call.file, call.line, call.column,
             "expected no more than 1023 words: `" + std::string(call.name) + "` has " + std::to_string(procedure->size));
      continue;
    }
    if (procedure->size > 0xff && !exact_)
      report(MessageKind::count_bits, call.file, call.line, call.column,
             '`' + std::string(call.name) + "` has " + std::to_string(procedure->size) + " words");
    std::uint32_t& word = code_[call.word];
    word = (word & ~0x3f'ffffU) | (procedure->start & 0xfff) << 10 | procedure->size;
  }
  std::size_t shown = 0;
  for (Unit& unit : units_) {
    if (unit.hidden) continue;
    ++shown;
    finish_unit(unit);
  }
  if (shown == 0 && errors_ == 0 && (!exact_ || object_)) report(MessageKind::no_executable, 0, 0, 0, "expected a source without .nodvle");
  if (shown > 1 && object_)
    report(MessageKind::too_many, 0, 0, 0, "expected a single executable in an object, found " + std::to_string(shown));
  if (!relocations_.empty() && !object_) report(MessageKind::object_only, 0, 0, 0, "expected .object: only objects have relocations");
  assembly.messages = std::move(messages_);
  assembly.ok = errors_ == 0;
  if (!assembly.ok) return;
  if (options_.header) print_header(assembly.header);
  if (object_) {
    for (Unit& unit : units_)
      if (!unit.hidden) assembly.object = make_object(std::move(unit.executable));
    return;
  }

  Program& program = assembly.shbin.program;
  program.version = version_.value_or(0);
  program.descriptors.items = descriptors();
  program.lines.items = lines(program.file_names);
  program.code.items = std::move(code_);
  for (Unit& unit : units_)
    if (!unit.hidden) assembly.shbin.executables.push_back(std::move(unit.executable));
}

// Where it begins and ends, and the names of its registers.
void Assembler::finish_unit(Unit& unit) {
  Executable& executable = unit.executable;
  // an object begins with its first word
  if (!unit.entry_given && !object_) {
    const Procedure* main = procedures_.find(unit.entry);
    if (main == nullptr) {
      report(MessageKind::undefined_entry, unit.file, unit.line, unit.column,
             "expected the entry procedure `" + std::string(unit.entry) + '`');
      return;
    }
    executable.entry_words = main->start;
    executable.end_words = main->start + main->size;
  }
  std::stable_sort(unit.uniforms.begin(), unit.uniforms.end(),
                   [](const NamedRegisters& a, const NamedRegisters& b) { return a.first < b.first; });
  for (const NamedRegisters& named : unit.uniforms) {
    Uniform uniform;
    uniform.symbol.text = named.name;
    std::replace(uniform.symbol.text.begin(), uniform.symbol.text.end(), '$', '.');
    const std::uint32_t first = named.first < kFloat0 ? named.first : named.first - (kFloat0 - kUniformConstants);
    uniform.first = static_cast<std::uint16_t>(first);
    uniform.last = static_cast<std::uint16_t>(first + named.size - 1);
    executable.uniforms.items.push_back(std::move(uniform));
  }
}

std::vector<Descriptor> Assembler::descriptors() const {
  std::vector<Descriptor> out;
  out.reserve(descriptors_.size());
  for (std::size_t i = 0; i < descriptors_.size(); ++i) out.push_back({descriptors_.value(i), descriptors_.second(i)});
  return out;
}

/// The line of each word if requested; names of files go to `names`.
std::vector<Line> Assembler::lines(Table<char>& names) const {
  std::vector<Line> out;
  if (!want_lines_) return out;
  constexpr std::uint32_t kNotThere = 0xffff'ffff;
  std::vector<std::uint32_t> offsets(files_.size(), kNotThere);
  out.reserve(lines_.size());
  TextAdder adder(names);
  for (std::size_t i = 0; i < std::min(lines_.size(), lines_end_.value_or(lines_.size())); ++i) {
    const Place& place = lines_[i];
    std::uint32_t& offset = offsets[place.file];
    if (offset == kNotThere) offset = adder.add(files_[place.file]);
    out.push_back({offset, place.line});
  }
  return out;
}

Object Assembler::make_object(Executable&& executable) {
  Object object;
  object.version = executable.version;
  object.stage = executable.stage;
  object.flags = executable.flags;
  object.input_mask = executable.input_mask;
  object.output_mask = executable.output_mask;
  object.geometry = *object_;
  static_cast<Tables&>(object) = std::move(static_cast<Tables&>(executable));
  object.descriptors.items = descriptors();
  object.lines.items = lines(object.symbols);
  object.code.items = std::move(code_);
  object.relocations.items = std::move(relocations_);
  return object;
}

}  // namespace assembler

std::vector<std::byte> write_assembly(const Assembly& assembly) {
  return assembly.object ? write_object(*assembly.object) : write_shbin(assembly.shbin);
}

Assembly assemble(std::span<const Source> sources, const AssemblerOptions& options) {
  Assembly assembly;
  assembler::Assembler work(options);
  std::deque<InputText> texts;  // names of the assembly are in them
  for (const Source& source : sources) work.source({source.name, texts.emplace_back(source.text).view()});
  work.finish(assembly);
  if (assembly.ok) return assembly;
  for (const Source& source : sources) {
    // one message says more than one for each line
    if (auto colored = color_escape_fault(source.text)) {
      colored->file = assembler::safe_name(source.name);
      assembly.messages = {*std::move(colored)};
      break;
    }
    constexpr std::uint32_t kFewLines = 3;
    if (const auto none = no_program_in(source.text); none && none->unknown >= kFewLines) {
      assembly.messages = {assembler::message_of(*none, source.name)};
      break;
    }
    const auto dialect = dialect_of(source.text);
    if (!dialect) continue;
    assembly.messages = {assembler::message_of(*dialect, source.name)};
    break;
  }
  return assembly;
}

}  // namespace unshade::pica
