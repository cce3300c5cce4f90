#include <unshade/dxil/assemble.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/dxcontainer/digest.hpp>
#include <unshade/dxcontainer/edit.hpp>
#include <unshade/dxil/debug_file.hpp>
#include <unshade/dxil/edit.hpp>
#include <unshade/dxil/listing.hpp>
#include <unshade/dxil/parts.hpp>

#include "support/container.hpp"
#include "support/files.hpp"

namespace unshade::dxil {

namespace {

using dxcontainer::fourcc;
using test::files_below;
using test::read_bytes;
using test::source_dir;
using test::view_of;

std::string text_of(View bitcode, bool exact) {
  const auto module = parse_module(bitcode);
  if (!module) return {};
  ListingOptions options;
  options.sections = false;
  options.exact = exact;
  Text text;
  return list_module(*module, bitcode.size(), text, options) ? text.str() : std::string();
}
std::string exact_text(View bitcode) { return text_of(bitcode, true); }
std::string plain_text(View bitcode) { return text_of(bitcode, false); }

View bitcode_in(const dxcontainer::Container& container, std::uint32_t kind) {
  const dxcontainer::Part* const part = container.find(kind);
  if (part == nullptr) return {};
  const auto program = parse_program(*part);
  return program ? program->bitcode : View{};
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) text.replace(at, from.size(), to);
}

std::string fault(std::string_view text) {
  const Assembly made = assemble(text);
  if (made.ok || made.messages.size() != 1) return "none";
  const Message& message = made.messages.front();
  return std::to_string(message.line) + ':' + std::to_string(message.column) + ' ' + std::string(message.id);
}

/// A text whose listing is the same text.
void expect_again(const std::string& text) {
  const Assembly made = assemble(text);
  ASSERT_TRUE(made.ok) << to_string(made.messages.front());
  const std::string listed = exact_text(View(made.file));
  const Assembly again = assemble(listed);
  ASSERT_TRUE(again.ok) << to_string(again.messages.front()) << '\n' << listed;
  EXPECT_EQ(again.file, made.file);
  EXPECT_NE(listed.find(text), std::string::npos) << listed;
}

TEST(DxilAssemble, ExactListingsOfSamplesGiveTheSameBits) {
  std::size_t count = 0;
  for (const auto& path : files_below(source_dir() / "tests/data/dxil", ".dxil")) {
    const auto file = read_bytes(path);
    const auto container = dxcontainer::parse_container(view_of(file));
    ASSERT_TRUE(container) << path;
    for (const auto& part : container->parts) {
      if (!is_program(part.fourcc)) continue;
      const auto program = parse_program(part);
      ASSERT_TRUE(program) << path;
      const Assembly made = assemble(exact_text(program->bitcode));
      ASSERT_TRUE(made.ok) << path << ": " << to_string(made.messages.front());
      EXPECT_TRUE(std::ranges::equal(made.file, program->bitcode.bytes())) << path;
      ++count;
    }
  }
  EXPECT_GT(count, 10U);
}

TEST(DxilAssemble, AContainerGetsItsProgramBack) {
  const auto file = read_bytes(source_dir() / "tests/data/dxil/textured_ps_6_6.dxil");
  const auto container = dxcontainer::parse_container(view_of(file));
  ASSERT_TRUE(container);
  const auto program = parse_program(*container->find(fourcc("DXIL")));
  ASSERT_TRUE(program);
  std::string text = exact_text(program->bitcode);
  const Assembly same = assemble_into(text, *container);
  ASSERT_TRUE(same.ok) << to_string(same.messages.front());
  EXPECT_EQ(same.file, file);

  // Another shader model shows in the header in front of the bitcode.
  const auto at = text.find("!\"ps\", i32 6, i32 6");
  ASSERT_NE(at, std::string::npos);
  text.replace(at, 19, "!\"ps\", i32 6, i32 7");
  const Assembly other = assemble_into(text, *container);
  ASSERT_TRUE(other.ok) << to_string(other.messages.front());
  const auto changed = dxcontainer::parse_container(view_of(other.file));
  ASSERT_TRUE(changed);
  const auto again = parse_program(*changed->find(fourcc("DXIL")));
  ASSERT_TRUE(again);
  EXPECT_EQ(again->minor(), 7U);
  EXPECT_EQ(again->major(), 6U);
  EXPECT_EQ(changed->parts.size(), container->parts.size());
}

TEST(DxilAssemble, AContainerSaysWhatItsTextDoesNot) {
  std::size_t count = 0;
  for (const auto& path : files_below(source_dir() / "tests/data/dxil", ".dxil")) {
    const auto file = read_bytes(path);
    const auto container = dxcontainer::parse_container(view_of(file));
    ASSERT_TRUE(container) << path;
    const auto* const listed = container->find_any({fourcc("ILDB"), fourcc("DXIL")});
    if (listed == nullptr) continue;
    const Assembly made = assemble_into(plain_text(bitcode_in(*container, listed->fourcc)), *container);
    ASSERT_TRUE(made.ok) << path << ": " << to_string(made.messages.front());
    EXPECT_TRUE(made.file == file) << path;
    EXPECT_TRUE(made.notes.empty()) << path;
    ++count;
  }
  EXPECT_GT(count, 10U);
}

TEST(DxilAssemble, FlagsBesideFastAreThoseOfTheModuleThatATextIsAbout) {
  const std::string text =
      "define float @f(float %x) {\n"
      "  %1 = fadd fast float %x, %x ; exact: flags 29\n"
      "  %2 = fmul fast float %1, %x\n"
      "  %3 = fadd fast float %2, %x ; exact: flags 29\n"
      "  %4 = fadd fast float %3, %x ; exact: flags 29\n"
      "  ret float %4\n"
      "}\n";
  const Assembly before = assemble(text);
  ASSERT_TRUE(before.ok) << to_string(before.messages.front());
  const auto like = parse_module(View(before.file));
  ASSERT_TRUE(like);
  const auto assembled_like = [&](const std::string& edited) {
    Module module;
    Message message;
    EXPECT_TRUE(parse_module_text(edited, module, message, &*like)) << to_string(message);
    const auto bitcode = write_module(module);
    return bitcode ? exact_text(View(*bitcode)) : std::string();
  };
  std::string plain = text;
  replace_all(plain, " ; exact: flags 29", "");
  EXPECT_EQ(assembled_like(plain), exact_text(View(before.file)));
  // What stands in front of a new instruction and behind it keeps its flags; itself it is as most are.
  replace_all(plain, "  %3 = fadd fast float %2, %x\n  %4 = fadd fast float %3, %x\n  ret float %4",
              "  %3 = fdiv fast float %2, %x\n  %4 = fadd fast float %3, %x\n  %5 = fadd fast float %4, %x\n  ret float %5");
  const std::string edited = assembled_like(plain);
  EXPECT_NE(edited.find("%2 = fmul fast float %1, %x\n"), std::string::npos) << edited;
  for (const std::string_view line : {"%1 = fadd fast float %x, %x ; exact: flags 29\n", "%3 = fdiv fast float %2, %x ; exact: flags 29\n",
                                      "%5 = fadd fast float %4, %x ; exact: flags 29\n"})
    EXPECT_NE(edited.find(line), std::string::npos) << edited;
  // What a text states is so, whatever the module has.
  std::string stated = text;
  replace_all(stated, "%2 = fmul fast float %1, %x", "%2 = fmul fast float %1, %x ; exact: flags 27");
  EXPECT_NE(assembled_like(stated).find("; exact: flags 27"), std::string::npos);
}

TEST(DxilAssemble, BesideADebugModuleThePlainOneFollows) {
  const auto file = read_bytes(source_dir() / "tests/data/dxil/control_ps_6_0_zi.dxil");
  const auto container = dxcontainer::parse_container(view_of(file));
  ASSERT_TRUE(container);
  std::string text = plain_text(bitcode_in(*container, fourcc("ILDB")));
  replace_all(text, "float 4.200000e+01", "float 4.300000e+01");
  const Assembly made = assemble_into(text, *container);
  ASSERT_TRUE(made.ok) << to_string(made.messages.front());
  EXPECT_TRUE(made.notes.empty());
  const auto changed = dxcontainer::parse_container(view_of(made.file));
  ASSERT_TRUE(changed);
  EXPECT_EQ(dxcontainer::check_digest(*changed), dxcontainer::check_digest(*container));
  const View debug = bitcode_in(*changed, fourcc("ILDB"));
  const View plain = bitcode_in(*changed, fourcc("DXIL"));
  EXPECT_EQ(plain_text(debug), text);
  EXPECT_FALSE(std::ranges::equal(plain.bytes(), bitcode_in(*container, fourcc("DXIL")).bytes()));
  const auto stripped = strip_module(debug, {.debug = true, .reflection = true});
  ASSERT_TRUE(stripped);
  EXPECT_TRUE(std::ranges::equal(*stripped, plain.bytes()));
  // Without debug information in the text, none is left that would tell of another program.
  const Assembly bare = assemble_into(plain_text(plain), *container);
  ASSERT_TRUE(bare.ok) << to_string(bare.messages.front());
  EXPECT_EQ(bare.notes.size(), 1U);
  const auto without = dxcontainer::parse_container(view_of(bare.file));
  ASSERT_TRUE(without);
  EXPECT_EQ(without->find(fourcc("ILDB")), nullptr);
  EXPECT_TRUE(std::ranges::equal(bitcode_in(*without, fourcc("DXIL")).bytes(), plain.bytes()));
}

TEST(DxilAssemble, HashAndNameOfTheDebugFileFollow) {
  const auto file = read_bytes(source_dir() / "tests/data/dxil/control_ps_6_0_zi.dxil");
  const auto before = dxcontainer::parse_container(view_of(file));
  ASSERT_TRUE(before);
  // As newer compilers have it: a hash, and a name made of it.
  ShaderHash hash;
  hash.digest = dxcontainer::md5(bitcode_in(*before, fourcc("DXIL")));
  dxcontainer::PdbIdentity identity;
  identity.guid = hash.digest;
  const std::string name = debug_file_name(identity);
  dxcontainer::ContainerEdit edit(*before);
  edit.put(fourcc("HASH"), write_hash(hash));
  DebugName debug_name;
  debug_name.name = name;
  edit.put(fourcc("ILDN"), write_debug_name(debug_name));
  const auto hashed = edit.write();
  ASSERT_TRUE(hashed);
  const auto container = dxcontainer::parse_container(view_of(*hashed));
  ASSERT_TRUE(container);
  std::string text = plain_text(bitcode_in(*container, fourcc("ILDB")));
  replace_all(text, "float 4.200000e+01", "float 4.300000e+01");
  const Assembly made = assemble_into(text, *container);
  ASSERT_TRUE(made.ok) << to_string(made.messages.front());
  const auto changed = dxcontainer::parse_container(view_of(made.file));
  ASSERT_TRUE(changed);
  const auto new_hash = parse_hash(*changed->find(fourcc("HASH")));
  const auto new_name = parse_debug_name(*changed->find(fourcc("ILDN")));
  ASSERT_TRUE(new_hash);
  ASSERT_TRUE(new_name);
  EXPECT_EQ(new_hash->digest, dxcontainer::md5(bitcode_in(*changed, fourcc("DXIL"))));
  EXPECT_NE(new_hash->digest, hash.digest);
  identity.guid = new_hash->digest;
  EXPECT_EQ(new_name->name, debug_file_name(identity));
}

TEST(DxilAssemble, TypesAndConstantsOfAllKinds) {
  expect_again(
      "@a = internal constant [3 x i8] c\"ab\\00\"\n"
      "@b = internal constant [2 x i8] c\"a\\FF\"\n"
      "@c = internal constant [2 x float] [float 1.000000e+00, float 0x3FB99999A0000000]\n"
      "@d = internal constant { i1, half, i64* } { i1 true, half 0xH3C00, i64* null }\n"
      "@e = internal constant <2 x i16> <i16 -1, i16 7>\n"
      "@f = internal constant i128 170141183460469231731687303715884105727\n"
      "@g = internal constant [2 x { i32, i32 }] zeroinitializer\n"
      "@h = internal constant float* getelementptr inbounds ([2 x float], [2 x float]* @c, i32 0, i32 1)\n"
      "@i = internal constant i64 ptrtoint (float* bitcast ([2 x i8]* @b to float*) to i64)\n"
      "@j = external addrspace(3) global [4 x i32], align 4\n");
}

TEST(DxilAssemble, DecimalsThatNoFloatHasAreRefused) {
  const Assembly made = assemble("@a = internal constant double 7.000000e-01\n@b = internal constant float 7.000000e-01\n");
  ASSERT_FALSE(made.ok);
  ASSERT_FALSE(made.messages.empty());
  EXPECT_EQ(made.messages[0].line, 2U);
  EXPECT_NE(to_string(made.messages[0]).find("0x3FE6666660000000"), std::string::npos);
}

TEST(DxilAssemble, InstructionsOfAllKinds) {
  const Assembly made = assemble(
      "%pair = type { i32, [2 x float] }\n"
      "declare void @use(i32, metadata)\n"
      "define float @f(%pair* nocapture %p, i32 %x, float %y) #0 {\n"
      "  %1 = getelementptr inbounds %pair, %pair* %p, i32 0, i32 1, i32 %x\n"
      "  %2 = load volatile float, float* %1, align 4\n"
      "  store float %y, float* %1\n"
      "  %3 = fadd fast float %2, %y\n"
      "  %4 = add nuw nsw i32 %x, -1\n"
      "  %5 = atomicrmw umax i32* undef, i32 %4 seq_cst\n"
      "  %6 = cmpxchg weak i32* undef, i32 %5, i32 1 acq_rel monotonic\n"
      "  %7 = extractvalue { i32, i1 } %6, 1\n"
      "  %8 = select i1 %7, float %3, float 2.500000e-01\n"
      "  %9 = insertelement <2 x float> undef, float %8, i32 0\n"
      "  %10 = shufflevector <2 x float> %9, <2 x float> undef, <2 x i32> <i32 1, i32 0>\n"
      "  %11 = extractelement <2 x float> %10, i32 0\n"
      "  %12 = alloca i32, align 8\n"
      "  fence acquire\n"
      "  call void @use(i32 %4, metadata !\"text\"), !note !0\n"
      "  switch i32 %5, label %13 [\n"
      "    i32 1, label %14\n"
      "  ]\n"
      "; <label>:13\n"
      "  br label %14\n"
      "; <label>:14\n"
      "  %15 = phi float [ %11, %0 ], [ %y, %13 ]\n"
      "  ret float %15\n"
      "}\n"
      "attributes #0 = { nounwind \"key\"=\"value\" }\n"
      "!0 = !{i32 5, null, !0}\n");
  ASSERT_TRUE(made.ok) << to_string(made.messages.front());
  const std::string text = exact_text(View(made.file));
  for (const std::string_view line :
       {"cmpxchg weak i32* undef", "load volatile float", "align 8", "switch i32 %5", "!note !0", "fadd fast"})
    EXPECT_NE(text.find(line), std::string::npos) << line << '\n' << text;
  EXPECT_EQ(assemble(text).file, made.file);
}

// Numbers of results and texts of constants are made once and used again.
TEST(DxilAssemble, LongFunctionsAndLongConstantsAreListedWhole) {
  std::string elements = "i32 0";
  for (int i = 1; i < 200; ++i) elements += ", i32 " + std::to_string(i);
  const std::string array = "[200 x i32] [" + elements + "]";
  std::string body;
  for (int i = 1; i <= 10'050; ++i)
    body += "  %" + std::to_string(i) + " = add i32 %" + (i == 1 ? std::string("x") : std::to_string(i - 1)) + ", " +
            std::to_string(i % 7) + "\n";
  const std::string text = "define i32 @f(i32 %x) {\n" + body + "  %10051 = extractvalue " + array +
                           ", 3\n"
                           "  %10052 = extractvalue " +
                           array +
                           ", 4\n"
                           "  ret i32 %10052\n"
                           "}\n";
  const Assembly made = assemble(text);
  ASSERT_TRUE(made.ok) << to_string(made.messages.front());
  const std::string listed = exact_text(View(made.file));
  EXPECT_TRUE(listed.find(text) != std::string::npos);
}

TEST(DxilAssemble, NumbersMayHaveGapsAndAnyOrder) {
  constexpr std::string_view kDense =
      "define i32 @f(i32 %x, i1 %c) {\n"
      "  %1 = add i32 %x, 1\n"
      "  br i1 %c, label %2, label %4\n"
      "\n"
      "; <label>:2                                       ; preds = %0\n"
      "  %3 = add i32 %1, 2\n"
      "  br label %4\n"
      "\n"
      "; <label>:4                                       ; preds = %2, %0\n"
      "  %5 = phi i32 [ %3, %2 ], [ %1, %0 ]\n"
      "  ret i32 %5\n"
      "}\n";
  // lines deleted before a value, before a block, at the end of one; a line moved
  constexpr std::string_view kGaps =
      "define i32 @f(i32 %x, i1 %c) {\n"
      "  %7 = add i32 %x, 1\n"
      "  br i1 %c, label %9, label %12\n"
      "\n"
      "; <label>:9                                       ; preds = %0\n"
      "  %10 = add i32 %7, 2\n"
      "  br label %12\n"
      "\n"
      "; <label>:12                                      ; preds = %9, %0\n"
      "  %3 = phi i32 [ %10, %9 ], [ %7, %0 ]\n"
      "  ret i32 %3\n"
      "}\n";
  const Assembly dense = assemble(kDense);
  ASSERT_TRUE(dense.ok) << to_string(dense.messages.front());
  const Assembly gaps = assemble(kGaps);
  ASSERT_TRUE(gaps.ok) << to_string(gaps.messages.front());
  EXPECT_EQ(gaps.file, dense.file);
  ASSERT_FALSE(gaps.messages.empty());
  EXPECT_EQ(gaps.messages[0].severity, Severity::note);
  EXPECT_EQ(gaps.messages[0].line, 2U);
  const Assembly globals = assemble("@3 = global i32 0\n@1 = global i32 1\ndefine i32* @f() {\n  ret i32* @1\n}\n");
  EXPECT_TRUE(globals.ok) << to_string(globals.messages.front());
  // what is used must be there, and once
  EXPECT_EQ(fault("define i32 @f() {\n  %2 = add i32 %1, 1\n  ret i32 %2\n}"), "2:16 missing");
  EXPECT_EQ(fault("define i32 @f() {\n  %2 = add i32 1, 1\n  %2 = add i32 1, 1\n  ret i32 %2\n}"), "3:3 bad-value");
  EXPECT_EQ(fault("define void @f() {\n  br label %3\n; <label>:4\n  ret void\n}"), "2:12 missing");
}

TEST(DxilAssemble, FaultsHaveAPlace) {
  EXPECT_EQ(fault("target triple = 5"), "1:17 bad-value");
  EXPECT_EQ(fault("@a = global i32 300000000000\n"), "1:17 bad-value");
  EXPECT_EQ(fault("\n@a = global %none zeroinitializer"), "2:13 missing");
  EXPECT_EQ(fault("@a = global i32* @b"), "1:18 missing");
  EXPECT_EQ(fault("define void @f() {\n  ret i32 0\n}"), "2:7 bad-value");
  EXPECT_EQ(fault("define void @f() {\n  br label %x\n}"), "2:12 missing");
  EXPECT_EQ(fault("define i32 @f() {\n  %1 = add i32 1, 1\n}"), "3:1 bad-value");
  EXPECT_EQ(fault("define void @f() #4 {\n  ret void\n}"), "1:18 missing");
  EXPECT_EQ(fault("!a = !{!3}"), "1:8 missing");
  EXPECT_EQ(fault("!0 = !DILocation(line: 4)"), "1:26 bad-value");
  EXPECT_EQ(fault("@a = global i32 0\n@a = global i32 0\n"), "2:1 bad-value");
  EXPECT_EQ(fault("declare void @f(i32) align 3"), "1:28 bad-value");
  // Quotes that are never closed, where globals are looked for and behind
  EXPECT_EQ(fault("@\"a = global i32 0\n"), "1:1 bad-value");
  EXPECT_EQ(fault("define \"void @f() {"), "1:8 bad-value");
  EXPECT_EQ(fault("@a = global i32 0, section \"b"), "1:28 bad-value");
}

TEST(DxilAssemble, FaultsThatShowLateHaveAPlace) {
  EXPECT_EQ(fault("%A = type { i32 }\n%B = type { [2 x %B] }\n"), "2:1 cycle");
  std::string deep = "%T0 = type { i32 }\n";
  for (int i = 1; i < 100; ++i) deep += "%T" + std::to_string(i) + " = type { %T" + std::to_string(i - 1) + " }\n";
  EXPECT_EQ(fault(deep), "64:1 limit");
  EXPECT_EQ(fault("\ndeclare void @f(i32" + std::string(1'000'000, '*') + ")"), "2:84 limit");
  std::string constant = "i32 7";
  for (int i = 0; i < 80; ++i) constant = "[1 x " + std::string("i32") + "] [" + constant + "]";
  EXPECT_NE(fault("@a = global " + constant), "none");
  const Assembly made = assemble_container("define void @main() {\n  ret void\n}\n\n!dx.version = !{!0}\n!0 = !{i32 1, i32 0}\n");
  ASSERT_FALSE(made.ok);
  EXPECT_EQ(made.messages.front().id, id(ErrorCode::missing));
  EXPECT_EQ(made.messages.front().line, 1U);
  EXPECT_NE(made.messages.front().text.find("!dx.entryPoints"), std::string::npos);
  EXPECT_EQ(fault("define i32 @f(i32 %a) {\n  %1 = add nuw nuw i32 %a, %a\n  ret i32 %1\n}"), "2:16 bad-value");
  EXPECT_EQ(fault("@a = global i32 0 ; exact: flag 29\n"), "1:19 bad-value");
}

/// The fault of one instruction in a function, as column and id: it begins in column 3 of line 2.
std::string fault_of(std::string_view instruction) {
  const std::string text = "define void @f(i32 %i, float %x, i1 %c, <2 x float> %v, [2 x i32] %a, { i32, float }* %p) {\n  " +
                           std::string(instruction) + "\n  ret void\n}";
  const std::string all = fault(text);
  return all.starts_with("2:") ? all.substr(2) : all;
}

TEST(DxilAssemble, FlagsMustBeOfTheirInstruction) {
  EXPECT_EQ(fault_of("%1 = fmul fast nsw float %x, %x"), "18 bad-value");
  EXPECT_EQ(fault_of("%1 = fmul nuw float %x, %x"), "13 bad-value");
  EXPECT_EQ(fault_of("%1 = sub fast i32 %i, %i"), "12 bad-value");
  EXPECT_EQ(fault_of("%1 = xor nsw i32 %i, %i"), "12 bad-value");
  EXPECT_EQ(fault_of("%1 = shl exact i32 %i, %i"), "12 bad-value");
  EXPECT_EQ(fault_of("%1 = icmp fast eq i32 %i, %i"), "13 bad-value");
  EXPECT_EQ(fault_of("%1 = call fast float @g()"), "13 bad-value");
  EXPECT_EQ(fault_of("%1 = getelementptr nsw inbounds { i32, float }, { i32, float }* %p, i32 0"), "22 bad-value");
  EXPECT_EQ(fault("@a = global i1 fcmp fast oeq (float 1.0, float 1.0)"), "1:21 bad-value");
  EXPECT_EQ(fault("@a = global i32 xor nsw (i32 1, i32 2)"), "1:21 bad-value");
  EXPECT_EQ(fault_of("%1 = fcmp fast oeq float %x, %x"), "none");
  EXPECT_EQ(fault_of("%1 = lshr exact i32 %i, %i"), "none");
  EXPECT_EQ(fault_of("%1 = shl nsw nuw i32 %i, %i"), "none");
}

TEST(DxilAssemble, NumbersFitTheirType) {
  EXPECT_EQ(fault("@a = global i32 -2147483649"), "1:17 bad-value");
  EXPECT_EQ(fault("@a = global i32 -4294967295"), "1:17 bad-value");
  EXPECT_EQ(fault("@a = global i8 -129"), "1:16 bad-value");
  EXPECT_EQ(fault("@a = global i64 -9223372036854775809"), "1:17 bad-value");
  EXPECT_EQ(fault("@a = global i128 -170141183460469231731687303715884105729"), "1:18 bad-value");
  expect_again("@a = internal constant i32 -2147483648\n");
  expect_again("@a = internal constant i64 -9223372036854775808\n");
  expect_again("@a = internal constant i128 -170141183460469231731687303715884105728\n");
  EXPECT_EQ(fault("@a = global i1 -1"), "none");
  // Bits have no sign.
  EXPECT_EQ(fault("@a = global float -0x3FF0000000000000"), "1:19 bad-value");
  EXPECT_EQ(fault("@a = global double +0x3FF0"), "1:20 bad-value");
  // What debug information has room for. src: LLVM 3.7, LLParser.cpp, LineField and ColumnField
  EXPECT_EQ(fault("!0 = !DILocation(line: 4294967296, scope: !0)"), "1:24 bad-value");
  EXPECT_EQ(fault("!0 = !DILocation(line: 1, column: 65536, scope: !0)"), "1:35 bad-value");
  EXPECT_EQ(fault("!0 = !DILocation(line: 4294967295, column: 65535, scope: !0)"), "none");
  EXPECT_EQ(fault("!0 = !DIEnumerator(name: \"a\", value: 9223372036854775808)"), "1:38 bad-value");
  EXPECT_EQ(fault("!0 = !DIEnumerator(name: \"a\", value: -9223372036854775808)"), "none");
  EXPECT_EQ(fault("declare cc 8192 void @f()"), "1:12 bad-value");
  EXPECT_EQ(fault("declare cc 4294967295 void @f()"), "1:12 bad-value");
  EXPECT_EQ(fault("declare cc8191 void @f()"), "none");
}

TEST(DxilAssemble, WideRealsArePackedAsLlvmDoes) {
  expect_again("@a = internal constant x86_fp80 0xK3FFF8000000000000001\n@b = internal constant x86_fp80 0xKC000C90FDAA22168C235\n");
}

TEST(DxilAssemble, ClausesAreGivenOnce) {
  EXPECT_EQ(fault_of("%1 = alloca i32, align 64, align 4"), "30 bad-value");
  EXPECT_EQ(fault("@a = global i32 0, align 4, align 8"), "1:29 bad-value");
  EXPECT_EQ(fault("@a = global i32 0, section \"a\", align 4, section \"b\""), "1:42 bad-value");
  EXPECT_EQ(fault("declare void @f() section \"a\" section \"b\""), "1:31 bad-value");
  EXPECT_EQ(fault("declare void @f(i8* align 4 align 8)"), "1:29 bad-value");
  EXPECT_EQ(fault("attributes #0 = { \"a\"=\"b\" nounwind \"a\"=\"c\" }"), "1:36 bad-value");
  EXPECT_EQ(fault("attributes #0 = { nounwind \"a\"=\"b\" nounwind \"a\"=\"b\" }"), "none");
  const auto attributes = [](std::string_view of_function, std::string_view sets) {
    return "define void @f() " + std::string(of_function) + " {\n  ret void\n}\n" + std::string(sets);
  };
  EXPECT_EQ(fault(attributes("\"a\"=\"b\" #1", "attributes #1 = { \"a\"=\"c\" }")), "1:26 bad-value");
  EXPECT_EQ(fault(attributes("#0 #1", "attributes #0 = { \"a\"=\"b\" }\nattributes #1 = { \"a\"=\"c\" }")), "1:21 bad-value");
  EXPECT_EQ(fault(attributes("\"a\"=\"b\" #1", "attributes #1 = { nounwind \"a\"=\"b\" \"b\"=\"c\" }")), "none");
  EXPECT_EQ(fault(attributes("#0 nounwind #0", "attributes #0 = { nounwind \"a\"=\"b\" }")), "none");
  EXPECT_EQ(fault("!a = !{!0}\n!b = !{!0}\n!a = !{!0}\n!0 = !{}"), "3:1 bad-value");
  EXPECT_EQ(fault("target triple = \"a\"\ntarget triple = \"b\""), "2:8 bad-value");
}

TEST(DxilAssemble, ExactFlagsAreThoseOfFastInstructions) {
  const auto text = [](std::string_view instruction) {
    return "define void @f(float %x, i32 %i) {\n  " + std::string(instruction) + "\n  ret void\n}";
  };
  EXPECT_EQ(fault(text("%1 = fadd fast float %x, %x ; exact: flags 29")), "none");
  EXPECT_EQ(fault(text("%1 = fadd fast float %x, %x ; exact: flags 28")), "2:31 bad-value");
  EXPECT_EQ(fault(text("%1 = fadd fast float %x, %x ; exact: flags 33")), "2:31 bad-value");
  EXPECT_EQ(fault(text("%1 = fadd nnan float %x, %x ; exact: flags 29")), "2:31 bad-value");
  EXPECT_EQ(fault(text("%1 = add i32 %i, %i ; exact: flags 29")), "2:23 bad-value");
  EXPECT_EQ(fault(text("; exact: flags 29\n  %1 = fadd fast float %x, %x")), "2:3 bad-value");
  EXPECT_EQ(fault("@a = global i32 0 ; exact: flags 29"), "1:19 bad-value");
  EXPECT_EQ(fault(text("%1 = fadd fast float %x, %x ; exact: flags 29\n  ; exact: flags 31")), "3:3 bad-value");
  EXPECT_EQ(fault(text("%1 = fadd fast float %x, %x ; exact: flags 29 30")), "2:31 bad-value");
  EXPECT_EQ(fault(text("%1 = fadd fast float %x, %x ; exact: flags 29x")), "2:31 bad-value");
  EXPECT_EQ(fault(text("%1 = fadd fast float %x, %x ; exact: flags 29 ; line:33 col:23")), "none");
  EXPECT_EQ(fault(text("%1 = fadd fast float %x, %x ; exact: flags")), "2:31 bad-value");
}

TEST(DxilAssemble, ExactListingsEscapeAllStrings) {
  const Assembly made = assemble(
      "target datalayout = \"e\\22\\5Cm\"\n"
      "target triple = \"dxil\\5C41\"\n"
      "declare void @f() #0 gc \"a\\22b\"\n"
      "attributes #0 = { \"k\"=\"any\\22 \\22x\\22=\\22v\" \"a\\5C62\" }\n");
  ASSERT_TRUE(made.ok) << to_string(made.messages.front());
  EXPECT_TRUE(assemble(exact_text(View(made.file))).file == made.file) << exact_text(View(made.file));
  // dxc prints them as they are.
  EXPECT_NE(plain_text(View(made.file)).find("\"k\"=\"any\" \"x\"=\"v\""), std::string::npos) << plain_text(View(made.file));
}

TEST(DxilAssemble, TypesThatDoNotFitAreToldAtTheirInstruction) {
  EXPECT_EQ(fault_of("%1 = icmp slt float %x, %x"), "17 bad-value");
  EXPECT_EQ(fault_of("%1 = fcmp oeq i32 %i, %i"), "17 bad-value");
  EXPECT_EQ(fault_of("%1 = select i32 %i, float %x, float %x"), "15 bad-value");
  EXPECT_EQ(fault_of("%1 = bitcast float %x to void"), "28 bad-value");
  EXPECT_EQ(fault_of("%1 = phi void [ undef, %0 ]"), "12 bad-value");
  EXPECT_EQ(fault_of("%1 = alloca i32, float %x"), "20 bad-value");
  EXPECT_EQ(fault_of("%1 = insertelement <2 x float> %v, i32 %i, i32 0"), "38 bad-value");
  EXPECT_EQ(fault_of("%1 = extractelement <2 x float> %v, float %x"), "39 bad-value");
  EXPECT_EQ(fault_of("%1 = extractvalue [2 x i32] %a, 2"), "21 bad-value");
  EXPECT_EQ(fault_of("%1 = extractvalue <2 x float> %v, 0"), "21 bad-value");
  EXPECT_EQ(fault_of("%1 = getelementptr { i32, float }, { i32, float }* %p, i32 0, i32 %i"), "22 bad-value");
  EXPECT_EQ(fault_of("%1 = getelementptr { i32, float }, { i32, float }* %p, float %x"), "22 bad-value");
  EXPECT_EQ(fault_of("switch float %x, label %1 [\n  ]"), "10 bad-value");
  EXPECT_EQ(fault_of("switch i32 %i, label %1 [ i32 undef, label %1 ]"), "29 bad-value");
  EXPECT_EQ(fault("@a = external global void ()"), "1:22 bad-value");
  for (const std::string_view value :
       {"fadd (i32 1, i32 2)", "add (i32 1, i64 2)", "icmp eq (float 1.0, float 1.0)", "fcmp oeq (i32 1, i32 1)", "icmp eq (i32 1, i64 1)",
        "select (i32 1, i32 1, i32 2)", "select (i1 true, i32 1, i64 2)", "insertelement (<2 x i32> undef, i64 1, i32 0)",
        "shufflevector (<2 x i32> undef, <3 x i32> undef, <2 x i32> undef)"})
    EXPECT_EQ(fault("@a = global i32 " + std::string(value)), "1:17 bad-value") << value;
}

TEST(DxilAssemble, DefinitionsMayBeIndented) {
  const Assembly made = assemble(
      "  @a = global i32 1\n\t@b = alias\n i32* @a\n  define\tvoid @f() {\n  call void\n  @g(i32*\n@a)\n  ret void\n}\n\tdeclare void "
      "@g(i32*)\n");
  EXPECT_TRUE(made.ok) << to_string(made.messages.front());
  // Names are looked for at the starts of lines.
  EXPECT_EQ(fault("define void @f() {\n  ret void\n} define void @g() {\n  ret void\n}"), "3:15 bad-value");
  EXPECT_EQ(fault("define void\n@f() {\n  ret void\n}"), "2:1 bad-value");
}

TEST(DxilAssemble, AttributesStandInTheOrderOfLlvm) {
  // Those with a number stand behind the others, by the number.
  const std::string text =
      "define noalias nonnull dereferenceable(8) i8* @f(i8* nocapture readnone dereferenceable(4) %a, i8* byval dereferenceable(4) align 8 "
      "%b, "
      "i8* dereferenceable_or_null(2) align 4 dereferenceable(8) %c) #0 {\n"
      "  ret i8* %c\n"
      "}\n"
      "\n"
      "attributes #0 = { nounwind readnone alignstack=16 \"a\"=\"1\" \"b\" }\n";
  expect_again(text);
  std::string other = text;
  replace_all(other, "nocapture readnone dereferenceable(4)", "dereferenceable(4) nocapture readnone");
  replace_all(other, "dereferenceable_or_null(2) align 4 dereferenceable(8)", "dereferenceable(8) align 4 dereferenceable_or_null(2)");
  replace_all(other, "nounwind readnone alignstack=16 \"a\"=\"1\" \"b\"", "alignstack=16 \"b\" readnone \"a\"=\"1\" nounwind");
  const Assembly made = assemble(other);
  ASSERT_TRUE(made.ok) << to_string(made.messages.front());
  EXPECT_EQ(made.file, assemble(text).file);
}

/// The messages of a text put into a container, one a line.
std::string into(std::string_view text, const dxcontainer::Container& container) {
  std::string all;
  for (const Message& message : assemble_into(text, container).messages) all += to_string(message) + '\n';
  return all;
}

TEST(DxilAssemble, EditedCommentsAreToldFromThoseOfEditedCode) {
  const auto file = read_bytes(source_dir() / "tests/data/dxil/textured_ps_6_6.dxil");
  const auto container = dxcontainer::parse_container(view_of(file));
  ASSERT_TRUE(container);
  Text listing;
  ASSERT_TRUE(disassemble(*container, listing));
  const std::string text = listing.str();
  const auto edited = [&](std::string_view from, std::string_view to) {
    std::string other = text;
    const std::size_t at = other.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    if (at != std::string::npos) other.replace(at, from.size(), to);
    return other;
  };
  EXPECT_EQ(into(text, *container), "");
  // Tables, operations, and attributes in words
  const std::string table = into(edited("            t1     1", "            t7     1"), *container);
  EXPECT_NE(table.find(": error[bad-value]: the comment `shadow texture f32 2darray T1 t7 1` is not in the tables"), std::string::npos)
      << table;
  EXPECT_NE(into(edited("; SampleIndex()", "; ViewID()"), *container).find("does not match the instruction: `SampleIndex()`"),
            std::string::npos);
  EXPECT_NE(into(edited("; Function Attrs: nounwind readnone", "; Function Attrs: nounwind"), *container), "");
  EXPECT_NE(into(edited("SigOutputVectors[1]: 0", "SigOutputVectors[2]: 0"), *container).find("occurs more often"), std::string::npos);
  // A row without which its table is not whole; a table that is gone is nobody's edit.
  const std::string row = into(edited("; WORLD                    0   xyz         2     NONE   float   xyz \n", ""), *container);
  EXPECT_NE(row.find(": warning[as.comment-differs]: the table `Input signature:` lacks the row `WORLD 0 xyz 2 NONE float xyz`"),
            std::string::npos)
      << row;
  std::string without = text;
  const std::size_t bindings = without.find("; Resource Bindings:");
  without.erase(bindings, without.find("; ViewId state:") - bindings);
  EXPECT_EQ(into(without, *container), "");
  // Rows in the place of others, and of another table
  const std::string world = "; WORLD                    0   xyz         2     NONE   float   xyz \n";
  const auto has_row_at = [&](std::string_view before) {
    std::string other = edited(world, "");
    const std::size_t at = other.find(before);
    EXPECT_NE(at, std::string::npos) << before;
    return at == std::string::npos ? other : other.insert(at, world);
  };
  EXPECT_EQ(has_row_at(text.substr(text.find(world) + world.size(), 30)), text);
  for (const std::string_view before : {"; SV_Target", "; Resource Bindings:", "target "})
    EXPECT_NE(into(has_row_at(before), *container).find("` is not in its place in the tables of this program"), std::string::npos)
        << before;
  EXPECT_NE(into(has_row_at("; Input signature:"), *container).find("`WORLD 0 xyz 2 NONE float xyz` is not in its place"),
            std::string::npos);
  // Comments that stayed beside other code, comments that follow it, and those of people
  const std::string moved =
      edited("%dx.types.ResBind { i32 1, i32 1, i32 0, i8 0 }, i32 1", "%dx.types.ResBind { i32 1, i32 1, i32 0, i8 0 }, i32 0");
  EXPECT_EQ(into(moved, *container), "");
  EXPECT_EQ(into(edited("@dx.op.sampleIndex.i32(i32 90)  ; SampleIndex()", "@dx.op.sampleIndex.i32(i32 91)  ; SampleIndex()"), *container),
            "");
  EXPECT_EQ(into(edited("@dx.op.sampleIndex.i32(i32 90)  ; SampleIndex()", "@dx.op.sampleIndex.i32(i32 91)  ; Coverage()"), *container),
            "");
  EXPECT_EQ(into("; made darker by hand\n" + edited("icmp eq i32 %9, 0", "icmp eq i32 %9, 0 ; mine"), *container), "");
  EXPECT_EQ(into(text.substr(text.find("target ")), *container), "");
  // The hash is that of a listing of before: a warning, as the text may have gone into a container that was made of it.
  std::string other_hash = text;
  const std::size_t hash = other_hash.find("; shader hash: ") + 15;
  other_hash[hash] = other_hash[hash] == '0' ? '1' : '0';
  EXPECT_NE(into(other_hash, *container).find("warning[as.comment-differs]"), std::string::npos);
  EXPECT_TRUE(assemble_into(other_hash, *container).ok);
  // Alone, nothing tells which of the two was edited.
  const Assembly alone = assemble(edited("; SampleIndex()", "; ViewID()"));
  ASSERT_TRUE(alone.ok);
  ASSERT_EQ(alone.messages.size(), 1U);
  EXPECT_EQ(alone.messages.front().severity, Severity::warning);
  EXPECT_TRUE(assemble(text).messages.empty());
  // Tables that follow from parts which bitcode alone does not have.
  for (const auto& [from, to] :
       {std::pair("; SampleFrequency=1", "; SampleFrequency=0"), {"; SigInputVectors: 4", "; SigInputVectors: 3"}}) {
    const Assembly made = assemble(edited(from, to));
    ASSERT_TRUE(made.ok) << from;
    ASSERT_EQ(made.messages.size(), 1U) << from;
    EXPECT_EQ(made.messages.front().severity, Severity::warning);
  }
}

TEST(DxilAssemble, ExactListingsKnowTheirTables) {
  const auto file = read_bytes(source_dir() / "tests/data/dxil/textured_ps_6_6.dxil");
  const auto container = dxcontainer::parse_container(view_of(file));
  ASSERT_TRUE(container);
  ListingOptions options;
  options.exact = true;
  Text listing;
  ASSERT_TRUE(disassemble(*container, listing, options));
  std::string text = listing.str();
  EXPECT_TRUE(assemble(text).ok);
  replace_all(text, "; shadow      ", "; shade       ");
  const Assembly made = assemble(text);
  ASSERT_FALSE(made.ok);
  EXPECT_NE(made.messages.front().text.find("the tables above were edited"), std::string::npos);
}

TEST(DxilAssemble, WhatIsExactIsStatedOnce) {
  EXPECT_EQ(fault("; exact: kinds -\n  ; exact: kinds dx.temp\n").substr(0, 4), "2:3 ");
  EXPECT_EQ(fault("target triple = \"x\" ; exact: kinds -\n").substr(0, 5), "1:21 ");
  const std::string body = "define float @f(float %a) {\n  %b = fadd fast float %a, %a ; exact: flags 29";
  EXPECT_EQ(fault(body + "\n  ret float %b\n}\n"), "none");
  EXPECT_EQ(fault(body + " ; exact: flags 31\n  ret float %b\n}\n").substr(0, 4), "2:31");
}

TEST(DxilAssemble, NestingIsBounded) {
  const std::string deep = "@a = global " + std::string(100'000, '{');
  EXPECT_EQ(fault(deep).substr(fault(deep).find(' ') + 1), "limit");
  std::string node = "!0 = ";
  for (int i = 0; i < 100'000; ++i) node += "!{";
  EXPECT_EQ(fault(node).substr(fault(node).find(' ') + 1), "limit");
}

TEST(DxilAssemble, EveryTruncationIsRefusedOrRead) {
  const auto file = read_bytes(source_dir() / "tests/data/dxil/transform_vs_6_0_stripped.dxil");
  const auto container = dxcontainer::parse_container(view_of(file));
  ASSERT_TRUE(container);
  const auto program = parse_program(*container->find(fourcc("DXIL")));
  ASSERT_TRUE(program);
  const std::string text = exact_text(program->bitcode);
  for (std::size_t size = 0; size < text.size(); size += 7) {
    const Assembly made = assemble(std::string_view(text).substr(0, size));
    EXPECT_TRUE(made.ok == made.messages.empty()) << size;
  }
}

}  // namespace

}  // namespace unshade::dxil
