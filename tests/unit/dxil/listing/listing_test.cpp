#include <unshade/dxil/listing.hpp>

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "dxil/listing/module.hpp"
#include "support/container.hpp"
#include "support/files.hpp"

namespace unshade::dxil {

namespace {

using test::read_bytes;
using test::source_dir;
using test::view_of;

std::filesystem::path samples() { return source_dir() / "tests/data/dxil"; }

/// The line of the first difference, for a message that can be read.
std::string first_difference(std::string_view ours, std::string_view reference) {
  std::size_t line = 1;
  std::size_t start = 0;
  for (std::size_t i = 0; i < std::max(ours.size(), reference.size()); ++i) {
    if (i >= ours.size() || i >= reference.size() || ours[i] != reference[i]) {
      const auto rest = [&](std::string_view text) {
        return std::string(text.substr(std::min(start, text.size()), text.find('\n', i) - start));
      };
      return "line " + std::to_string(line) + "\n  ours      " + rest(ours) + "\n  reference " + rest(reference);
    }
    if (ours[i] == '\n') {
      ++line;
      start = i + 1;
    }
  }
  return {};
}

TEST(DxilListing, IsWhatDxcPrints) {
  std::size_t compared = 0;
  for (const auto& path : test::files_below(samples(), ".ll")) {
    auto binary = path;
    const auto bytes = read_bytes(binary.replace_extension(".dxil"));
    const auto container = dxcontainer::parse_container(view_of(bytes));
    ASSERT_TRUE(container) << path;
    Text text;
    const auto done = disassemble(*container, text);
    EXPECT_TRUE(done) << path << ": " << (done ? "" : to_string(done.error()));
    EXPECT_EQ(first_difference(text.view(), test::read_text(path)), "") << path;
    ++compared;
  }
  EXPECT_GE(compared, 17U);
}

TEST(DxilListing, LeavesOutWhatIsNotWanted) {
  const auto bytes = read_bytes(samples() / "mesh_as_6_5.dxil");
  const auto container = dxcontainer::parse_container(view_of(bytes));
  ASSERT_TRUE(container);
  Text all, sections, module, plain;
  ASSERT_TRUE(disassemble(*container, all));
  ASSERT_TRUE(disassemble(*container, sections, {.module = false}));
  ASSERT_TRUE(disassemble(*container, module, {.sections = false}));
  ASSERT_TRUE(disassemble(*container, plain, {.sections = false, .comments = false}));
  EXPECT_EQ(sections.str() + module.str(), all.str());
  EXPECT_NE(module.view().find("  ; DispatchMesh("), std::string_view::npos);
  EXPECT_EQ(plain.view().find("  ; "), std::string_view::npos);
}

TEST(DxilListing, OfBitcodeIsThatOfItsModule) {
  const auto bytes = read_bytes(samples() / "mesh_as_6_5.dxil");
  const auto container = dxcontainer::parse_container(view_of(bytes));
  ASSERT_TRUE(container);
  const auto* part = container->find(dxcontainer::fourcc("DXIL"));
  ASSERT_NE(part, nullptr);
  Text whole, with_header, raw;
  ASSERT_TRUE(disassemble(*container, whole, {.sections = false}));
  ASSERT_TRUE(disassemble(part->data, with_header, {.sections = false}));
  constexpr std::size_t kHeaderBytes = 24;
  ASSERT_TRUE(disassemble(*part->data.sub(kHeaderBytes, part->data.size() - kHeaderBytes), raw));
  EXPECT_EQ(with_header.view(), whole.view());
  EXPECT_TRUE(raw.view().ends_with(whole.view()));
}

TEST(DxilListing, NeedsAProgram) {
  const auto bytes = read_bytes(samples() / "rootsig_only.dxil");
  const auto container = dxcontainer::parse_container(view_of(bytes));
  ASSERT_TRUE(container);
  Text text;
  const auto done = disassemble(*container, text);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, ErrorCode::missing);
  EXPECT_EQ(done.error().path, "container");
  EXPECT_TRUE(text.empty());
}

TEST(DxilListing, OfTruncatedBitcodeIsAnError) {
  const auto bytes = read_bytes(samples() / "mesh_as_6_5.dxil");
  const auto container = dxcontainer::parse_container(view_of(bytes));
  ASSERT_TRUE(container);
  const View program = container->find(dxcontainer::fourcc("DXIL"))->data;
  for (const std::size_t size :
       {std::size_t{0}, std::size_t{4}, std::size_t{23}, std::size_t{24}, program.size() / 2, program.size() - 8}) {
    Text text;
    EXPECT_FALSE(disassemble(program.clamped(0, size), text)) << size;
  }
}

// --- words -------------------------------------------------------------------------------------------------------------------------------

template <class Print>
std::string printed(Print&& print) {
  Text text;
  print(text);
  return text.str();
}

TEST(IrText, QuotesNamesThatNeedIt) {
  const auto name = [](std::string_view text, listing::NamePrefix prefix) {
    return printed([&](Text& out) { listing::print_name(out, text, prefix); });
  };
  EXPECT_EQ(name("main", listing::NamePrefix::global), "@main");
  EXPECT_EQ(name("dx.types.Handle", listing::NamePrefix::local), "%dx.types.Handle");
  EXPECT_EQ(name("a-b_c.d9", listing::NamePrefix::none), "a-b_c.d9");
  EXPECT_EQ(name("9lives", listing::NamePrefix::local), "%\"9lives\"");
  EXPECT_EQ(name("\x01?work@@YAXXZ", listing::NamePrefix::global), "@\"\\01?work@@YAXXZ\"");
  EXPECT_EQ(name("a\"b\\c\xe4", listing::NamePrefix::comdat), "$\"a\\22b\\5Cc\\E4\"");
}

TEST(IrText, RealsAreDecimalWhereThatIsExact) {
  const auto real = [](TypeKind type, std::uint64_t bits, std::uint64_t high = 0) {
    return printed([&](Text& out) { listing::print_real(out, type, bits, high); });
  };
  const auto single = [&](float value) { return real(TypeKind::float_, std::bit_cast<std::uint32_t>(value)); };
  const auto twice = [&](double value) { return real(TypeKind::double_, std::bit_cast<std::uint64_t>(value)); };
  EXPECT_EQ(single(0.0F), "0.000000e+00");
  EXPECT_EQ(single(-0.0F), "-0.000000e+00");
  EXPECT_EQ(single(1.5F), "1.500000e+00");
  EXPECT_EQ(single(0.1F), "0x3FB99999A0000000");
  EXPECT_EQ(single(1e10F), "1.000000e+10");
  EXPECT_EQ(twice(0.1), "1.000000e-01");
  EXPECT_EQ(twice(1e100), "1.000000e+100");
  EXPECT_EQ(twice(0.12345678), "0x3FBF9ADD1091C895");
  EXPECT_EQ(twice(5e-324), "4.940656e-324");
  EXPECT_EQ(twice(1e-320), "9.999889e-321");
  EXPECT_EQ(real(TypeKind::float_, 0x7f80'0000), "0x7FF0000000000000");
  EXPECT_EQ(real(TypeKind::float_, 0xffc0'0001), "0xFFF8000020000000");
  EXPECT_EQ(real(TypeKind::half, 0x3c00), "0xH3C00");
  EXPECT_EQ(real(TypeKind::x86_fp80, 0x8000'0000'0000'0000, 0x3fff), "0xK3FFF8000000000000000");
  EXPECT_EQ(real(TypeKind::fp128, 1, 2), "0xL00000000000000010000000000000002");
}

TEST(IrText, WideIntegersAreDecimal) {
  const auto wide = [](std::vector<std::uint64_t> words) { return printed([&](Text& out) { listing::print_wide_integer(out, words); }); };
  EXPECT_EQ(wide({0, 0}), "0");
  EXPECT_EQ(wide({0, 1}), "18446744073709551616");
  EXPECT_EQ(wide({~std::uint64_t{0}, ~std::uint64_t{0}}), "-1");
  EXPECT_EQ(wide({0, std::uint64_t{1} << 63}), "-170141183460469231731687303715884105728");
  EXPECT_EQ(wide({1'000'000'007, 0}), "1000000007");
  EXPECT_TRUE(wide(std::vector<std::uint64_t>(65, 1)).starts_with("0x0000000000000001"));
}

// --- modules that no compiler of HLSL writes ---------------------------------------------------------------------------------------------

/// Puts a module together in the way that the reader does.
struct Builder {
  Module module;

  StringRange characters(std::string_view text) {
    module.characters += text;
    return {static_cast<std::uint32_t>(module.characters.size() - text.size()), static_cast<std::uint32_t>(text.size())};
  }
  template <class T>
  Range list(std::vector<T>& into, const std::vector<T>& items) {
    into.insert(into.end(), items.begin(), items.end());
    return {static_cast<std::uint32_t>(into.size() - items.size()), static_cast<std::uint32_t>(items.size())};
  }
  std::uint32_t type(TypeKind kind, std::vector<std::uint32_t> parts = {}, std::uint32_t number = 0, std::uint64_t count = 0) {
    Type t;
    t.kind = kind;
    t.number = number;
    t.count = count;
    t.parts = list(module.type_parts, parts);
    module.types.push_back(t);
    return static_cast<std::uint32_t>(module.types.size() - 1);
  }
  std::uint32_t integer(std::uint32_t width) { return type(TypeKind::integer, {}, width); }
  std::uint32_t pointer(std::uint32_t to, std::uint32_t space = 0) { return type(TypeKind::pointer, {to}, space); }
  std::uint32_t structure(std::string_view name, std::vector<std::uint32_t> parts, bool packed = false) {
    const std::uint32_t id = type(TypeKind::structure, std::move(parts));
    module.types[id].literal = false;
    module.types[id].packed = packed;
    module.types[id].name = characters(name);
    return id;
  }
  std::uint32_t value(ValueKind kind, std::uint32_t type, std::size_t index, std::string_view name = {}) {
    module.values.push_back({kind, type, static_cast<std::uint32_t>(index), characters(name)});
    return static_cast<std::uint32_t>(module.values.size() - 1);
  }
  std::uint32_t constant(Constant c) {
    module.constants.push_back(c);
    return value(ValueKind::constant, c.type, module.constants.size() - 1);
  }
  std::uint32_t number(std::uint32_t type, std::int64_t bits) {
    return constant(
        {.kind = ConstantKind::integer, .type = type, .bits = static_cast<std::uint64_t>(bits), .operands = {}, .literals = {}});
  }
  std::uint32_t aggregate(std::uint32_t type, const std::vector<std::uint32_t>& members) {
    return constant({.kind = ConstantKind::aggregate, .type = type, .operands = list(module.operands, members), .literals = {}});
  }
  Global& global(std::string_view name, std::uint32_t type, std::uint32_t initializer) {
    Global g;
    g.value = value(ValueKind::global, pointer(type), module.globals.size(), name);
    g.type = type;
    g.initializer = initializer;
    module.globals.push_back(g);
    return module.globals.back();
  }
  std::uint32_t function(std::string_view name, std::uint32_t type) {
    Function f;
    f.value = value(ValueKind::function, pointer(type), module.functions.size(), name);
    f.type = type;
    module.functions.push_back(f);
    return f.value;
  }

  std::string listing() {
    Text text;
    const auto done = list_module(module, std::size_t{1} << 16, text);
    return done ? text.str() : to_string(done.error());
  }
};

TEST(IrListing, GlobalsAndConstants) {
  Builder b;
  const auto i1 = b.integer(1), i8 = b.integer(8), i32 = b.integer(32);
  const auto real = b.type(TypeKind::float_);
  const auto named = b.structure("two words", {i32, real});
  const auto plain = b.structure("", {i8}, true);
  const auto bytes = b.type(TypeKind::array, {i8}, 0, 3);
  const auto pair = b.type(TypeKind::array, {i32}, 0, 2);
  b.module.triple = b.characters("dxil-ms-dx");
  b.module.inline_asm = b.characters("first\nsecond \"quoted\"");

  const auto zero = b.number(i32, 0);
  const auto minus = b.number(i32, -5);
  const auto one = b.constant({.kind = ConstantKind::real, .type = real, .bits = 0x3f80'0000, .operands = {}, .literals = {}});
  const auto undef_pair = b.constant({.kind = ConstantKind::undef, .type = pair, .operands = {}, .literals = {}});
  b.global("first", named, b.aggregate(named, {minus, one})).constant = true;
  Global& text = b.global("text", bytes,
                          b.constant({.kind = ConstantKind::c_string,
                                      .type = bytes,
                                      .operands = {},
                                      .literals = b.list(b.module.literals, std::vector<std::uint64_t>{'a', 7})}));
  text.linkage = Linkage::internal;
  text.unnamed_addr = true;
  text.alignment = 4;
  text.section = 0;
  b.module.sections.push_back(b.characters("data"));
  b.global("", pair, b.aggregate(pair, {zero, zero}));
  b.global("shared", pair, undef_pair).address_space = 3;
  b.module.types[b.module.values[b.module.globals.back().value].type].number = 3;
  b.global("flag", i1, b.number(i1, -1)).thread_local_mode = ThreadLocal::initial_exec;
  b.global("elsewhere", plain, kNone);
  const auto place = b.constant({.kind = ConstantKind::getelementptr,
                                 .flags = flag::kInBounds,
                                 .type = b.pointer(i32),
                                 .second_type = named,
                                 .operands = b.list(b.module.operands, std::vector<std::uint32_t>{b.module.globals[0].value, zero, zero}),
                                 .literals = {}});
  Alias alias;
  alias.value = b.value(ValueKind::alias, b.pointer(i32), 0, "member");
  alias.aliasee = place;
  b.module.aliases.push_back(alias);

  EXPECT_EQ(b.listing(), R"(target triple = "dxil-ms-dx"

module asm "first"
module asm "second \22quoted\22"

%0 = type <{ i8 }>
%"two words" = type { i32, float }

@first = constant %"two words" { i32 -5, float 1.000000e+00 }
@text = internal unnamed_addr global [3 x i8] c"a\07\00", section "data", align 4
@0 = global [2 x i32] zeroinitializer
@shared = addrspace(3) global [2 x i32] undef
@flag = thread_local(initialexec) global i1 true
@elsewhere = external global %0

@member = alias getelementptr inbounds (%"two words", %"two words"* @first, i32 0, i32 0)
)");
}

TEST(IrListing, AttributesAreSortedAndShared) {
  Builder b;
  const auto i32 = b.integer(32);
  const auto type = b.type(TypeKind::function, {i32, b.pointer(i32)});
  const auto attribute = [&](AttributeKind kind, std::uint64_t value = 0) {
    Attribute a;
    a.kind = kind;
    a.value = value;
    return a;
  };
  Attribute text = attribute(AttributeKind::text);
  text.key = b.characters("key");
  text.text = b.characters("value");
  const auto group = [&](std::uint32_t slot, const std::vector<Attribute>& attributes) {
    b.module.attribute_groups.push_back({1, slot, b.list(b.module.attributes, attributes)});
    return static_cast<std::uint32_t>(b.module.attribute_groups.size() - 1);
  };
  const auto with = [&](const std::vector<std::uint32_t>& groups) {
    b.module.attribute_lists.push_back(b.list(b.module.attribute_list_groups, groups));
    return static_cast<std::uint32_t>(b.module.attribute_lists.size() - 1);
  };
  const auto nounwind = attribute(AttributeKind::nounwind);
  const auto readnone = attribute(AttributeKind::readnone);
  const auto first = group(AttributeGroup::kFunction, {text, readnone, nounwind, nounwind});
  const auto same = group(AttributeGroup::kFunction, {nounwind, readnone, text});
  const auto other = group(AttributeGroup::kFunction, {attribute(AttributeKind::alignstack, 8)});
  const auto parameter = group(1, {attribute(AttributeKind::align, 16), attribute(AttributeKind::nocapture)});
  const auto returned = group(AttributeGroup::kReturn, {attribute(AttributeKind::dereferenceable, 4)});
  const std::vector<std::uint32_t> lists[] = {{first, parameter}, {same}, {other, returned}};
  for (std::size_t i = 0; i < std::size(lists); ++i) {
    b.function(std::string(1, static_cast<char>('a' + i)), type);
    b.module.functions.back().attributes = with(lists[i]);
  }
  EXPECT_EQ(b.listing(), R"(
; Function Attrs: nounwind readnone
declare i32 @a(i32* nocapture align 16) #0

; Function Attrs: nounwind readnone
declare i32 @b(i32*) #0

; Function Attrs: alignstack(8)
declare dereferenceable(4) i32 @c(i32*) #1

attributes #0 = { nounwind readnone "key"="value" }
attributes #1 = { alignstack=8 }
)");
}

/// A function of which each block is a list of instructions.
struct Code : Builder {
  std::vector<Instruction> pending;
  std::vector<Value> locals;
  std::vector<std::string> block_names;
  std::vector<std::size_t> block_ends;

  void block(std::string name = {}) {
    if (!block_names.empty()) block_ends.push_back(pending.size());
    block_names.push_back(std::move(name));
  }
  Instruction& add(Opcode opcode, std::uint32_t type, const std::vector<std::uint32_t>& operands) {
    Instruction i;
    i.opcode = opcode;
    i.type = type;
    i.operands = list(module.operands, operands);
    pending.push_back(i);
    return pending.back();
  }
  /// Values of the module have to be there already.
  std::uint32_t result(Instruction& i, std::string_view name = {}) {
    locals.push_back({ValueKind::instruction, i.type, static_cast<std::uint32_t>(pending.size() - 1), characters(name)});
    return i.value = static_cast<std::uint32_t>(module.values.size() + locals.size() - 1);
  }
  std::uint32_t parameter(std::uint32_t type, std::string_view name = {}) {
    locals.push_back({ValueKind::parameter, type, static_cast<std::uint32_t>(locals.size()), characters(name)});
    return static_cast<std::uint32_t>(module.values.size() + locals.size() - 1);
  }
  void finish(std::uint32_t parameters) {
    block_ends.push_back(pending.size());
    Body body;
    body.function = static_cast<std::uint32_t>(module.functions.size() - 1);
    body.parameters = parameters;
    body.values = {0, static_cast<std::uint32_t>(locals.size())};
    module.local_values = locals;
    module.instructions = pending;
    body.instructions = {0, static_cast<std::uint32_t>(pending.size())};
    body.blocks = {0, static_cast<std::uint32_t>(block_names.size())};
    std::size_t start = 0;
    for (std::size_t i = 0; i < block_names.size(); ++i) {
      module.blocks.push_back(
          {{static_cast<std::uint32_t>(start), static_cast<std::uint32_t>(block_ends[i] - start)}, characters(block_names[i])});
      start = block_ends[i];
    }
    module.functions.back().body = 0;
    module.bodies.push_back(body);
  }
};

TEST(IrListing, Code) {
  Code c;
  const auto none = c.type(TypeKind::void_), i1 = c.integer(1), i32 = c.integer(32), pointer = c.pointer(i32);
  const auto pair = c.type(TypeKind::structure, {i32, i1});
  const auto zero = c.number(i32, 0), one = c.number(i32, 1), two = c.number(i32, 2);
  c.function("work", c.type(TypeKind::function, {i32, pointer, i1}));
  c.module.functions.back().linkage = Linkage::internal;
  const auto p = c.parameter(pointer, "p"), flag_value = c.parameter(i1);

  c.block();
  auto& slot = c.add(Opcode::alloca_, pointer, {one});
  slot.second_type = i32;
  slot.alignment_code = 3;
  const auto here = c.result(slot, "here");
  auto& many = c.add(Opcode::alloca_, pointer, {two});
  many.second_type = i32;
  c.result(many);
  auto& loaded = c.add(Opcode::load, i32, {p});
  loaded.flags = flag::kAtomic | flag::kVolatile;
  loaded.ordering = Ordering::acquire;
  loaded.alignment_code = 3;
  const auto a = c.result(loaded);
  auto& sum = c.add(Opcode::add, i32, {a, one});
  sum.flags = flag::kNoUnsignedWrap | flag::kNoSignedWrap;
  const auto s = c.result(sum);
  c.add(Opcode::store, none, {here, s}).alignment_code = 3;
  c.add(Opcode::switch_, none, {s, 3, one, 1, two, 1}).second_type = i32;

  c.block("loop");
  auto& swapped = c.add(Opcode::cmpxchg, pair, {p, zero, s});
  swapped.ordering = Ordering::seq_cst;
  swapped.failure_ordering = Ordering::monotonic;
  swapped.flags = flag::kWeak;
  const auto x = c.result(swapped);
  const auto part = c.result(c.add(Opcode::extractvalue, i1, {x, 1}));
  auto& barrier = c.add(Opcode::fence, none, {});
  barrier.ordering = Ordering::release;
  barrier.single_thread = true;
  c.add(Opcode::br, none, {1, 3, part});

  c.block();
  c.add(Opcode::unreachable, none, {});

  c.block();
  const auto joined = c.result(c.add(Opcode::phi, i32, {zero, 0, one, 1}));
  const auto chosen = c.result(c.add(Opcode::select, i32, {flag_value, joined, two}));
  auto& compared = c.add(Opcode::icmp, i1, {chosen, zero});
  compared.detail = static_cast<std::uint8_t>(Predicate::icmp_ult);
  c.result(compared);
  auto& place = c.add(Opcode::getelementptr, pointer, {p, joined});
  place.second_type = i32;
  place.flags = flag::kInBounds;
  c.result(place);
  c.add(Opcode::ret, none, {chosen});
  c.finish(2);

  EXPECT_EQ(c.listing(), R"(
define internal i32 @work(i32* %p, i1) {
  %here = alloca i32, align 4
  %2 = alloca i32, i32 2
  %3 = load atomic volatile i32, i32* %p acquire, align 4
  %4 = add nuw nsw i32 %3, 1
  store i32 %4, i32* %here, align 4
  switch i32 %4, label %8 [
    i32 1, label %loop
    i32 2, label %loop
  ]

loop:                                             ; preds = %loop, %1, %1
  %5 = cmpxchg weak i32* %p, i32 0, i32 %4 seq_cst monotonic
  %6 = extractvalue { i32, i1 } %5, 1
  fence singlethread release
  br i1 %6, label %loop, label %8
                                                  ; No predecessors!
  unreachable

; <label>:8                                       ; preds = %loop, %1
  %9 = phi i32 [ 0, %1 ], [ 1, %loop ]
  %10 = select i1 %0, i32 %9, i32 2
  %11 = icmp ult i32 %10, 0
  %12 = getelementptr inbounds i32, i32* %p, i32 %9
  ret i32 %10
}
)");
}

TEST(IrListing, MetadataIsNumberedAsItIsMet) {
  Builder b;
  const auto i32 = b.integer(32);
  const auto add = [&](MetadataKind kind, const std::vector<std::uint64_t>& operands, bool distinct = false) {
    Metadata m;
    m.kind = kind;
    m.distinct = distinct;
    m.operands = b.list(b.module.metadata_operands, operands);
    b.module.metadata.push_back(m);
  };
  Metadata text;
  text.operands = b.characters("a\"b");
  b.module.metadata.push_back(text);  // id 0
  Metadata number;
  number.kind = MetadataKind::value;
  number.type = i32;
  number.value = b.number(i32, 7);
  b.module.metadata.push_back(number);                     // id 1
  add(MetadataKind::node, {1, 2});                         // id 2: the text, the number
  add(MetadataKind::node, {5, 0, 3}, true);                // id 3: id 4, null, id 2
  add(MetadataKind::expression, {0, 0x9d, 0, 32});         // id 4
  add(MetadataKind::subrange, {0, ~std::uint64_t{0}, 3});  // id 5: -1 elements from -2 on
  add(MetadataKind::basic_type, {0, 0x24, 1, 32, 32, 4});  // id 6: named as the text, DW_ATE_float
  b.module.named_metadata.push_back({b.characters("first list"), b.list(b.module.metadata_operands, std::vector<std::uint64_t>{3, 2})});
  b.module.named_metadata.push_back({b.characters("x.y"), b.list(b.module.metadata_operands, std::vector<std::uint64_t>{5, 6})});
  EXPECT_EQ(b.listing(), R"(
!first\20list = !{!0, !2}
!x.y = !{!3, !4}

!0 = distinct !{!1, null, !2}
!1 = !DIExpression(DW_OP_bit_piece, 0, 32)
!2 = !{!"a\22b", i32 7}
!3 = !DISubrange(count: -1, lowerBound: -2)
!4 = !DIBasicType(name: "a\22b", size: 32, align: 32, encoding: DW_ATE_float)
)");
}

// --- what must not grow ------------------------------------------------------------------------------------------------------------------

TEST(IrListing, TypesThatShareTheirPartsAreBounded) {
  Builder b;
  std::uint32_t type = b.integer(32);
  for (unsigned i = 0; i < 64; ++i) type = b.type(TypeKind::structure, {type, type});
  b.global("huge", type, kNone);
  Text text;
  const auto done = list_module(b.module, 1000, text);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, ErrorCode::limit);
  EXPECT_LT(text.size(), std::size_t{1} << 20);
}

TEST(IrListing, NestingIsBounded) {
  Builder b;
  std::uint32_t type = b.integer(32);
  for (unsigned i = 0; i < 100'000; ++i) type = b.pointer(type);
  b.global("deep", type, kNone);
  Text text;
  const auto done = list_module(b.module, std::size_t{1} << 20, text);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, ErrorCode::limit);
}

}  // namespace

}  // namespace unshade::dxil
