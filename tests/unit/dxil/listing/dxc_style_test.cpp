// Listings as older releases of dxc print them: for each difference the text before and after.
#include "dxil/listing/dxc_style.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/dxil/assemble.hpp>
#include <unshade/dxil/listing.hpp>
#include <unshade/dxil/metadata.hpp>
#include <unshade/dxil/operations.hpp>
#include <unshade/dxil/rdat.hpp>

#include "dxil/listing/sections.hpp"
#include "support/container.hpp"
#include "support/files.hpp"

namespace unshade::dxil {

namespace {

using dxcontainer::fourcc;
using test::read_bytes;
using test::source_dir;
using test::view_of;

DxcVersion release(std::string_view text) {
  const auto version = parse_dxc_version(text);
  EXPECT_TRUE(version) << text;
  return version ? *version : DxcVersion{};
}
listing::DxcStyle style_of(std::string_view text) { return listing::dxc_style(release(text)); }

std::filesystem::path samples() { return source_dir() / "tests/data/dxil"; }

/// The listing of a sample; `version` empty: without one.
std::string listed(std::string_view sample, std::string_view version, bool module = true) {
  const auto bytes = read_bytes(samples() / (std::string(sample) + ".dxil"));
  const auto container = dxcontainer::parse_container(view_of(bytes));
  if (!container) return "no container";
  ListingOptions options;
  options.module = module;
  if (!version.empty()) options.dxc = release(version);
  Text text;
  const auto done = disassemble(*container, text, options);
  return done ? text.str() : to_string(done.error());
}

/// The lines from the one that begins with `first` up to the one that begins with `behind`.
std::string between(std::string_view text, std::string_view first, std::string_view behind) {
  const std::size_t at = text.find(first);
  if (at == text.npos) return "none";
  return std::string(text.substr(at, text.find(behind, at) - at));
}
std::string runtime_info(std::string_view sample, std::string_view version) {
  return between(listed(sample, version, false), "; Pipeline Runtime", "\n;\n;\n");
}

/// The listing of a module that is written as text.
std::string listed_again(std::string_view text, std::string_view version) {
  const Assembly made = assemble(text);
  EXPECT_TRUE(made.ok) << (made.messages.empty() ? std::string() : made.messages.front().text);
  ListingOptions options;
  if (!version.empty()) options.dxc = release(version);
  Text out;
  EXPECT_TRUE(disassemble(view_of(made.file), out, options));
  return out.str();
}

bool has(std::string_view text, std::string_view part) { return text.find(part) != text.npos; }

// --- versions ----------------------------------------------------------------------------------------------------------------------------

TEST(DxcVersion, IsANumberAReleaseOrABuild) {
  const auto is = [](std::string_view text, DxcVersion version) { return release(text) == version; };
  EXPECT_TRUE(is("1.4", {1, 4, 1907}));
  EXPECT_TRUE(is("1.6", {1, 6, 2112})) << "the newest of the number";
  EXPECT_TRUE(is("1.8", {1, 8, 2505}));
  EXPECT_TRUE(is("1.10", {1, 10, 2605}));
  EXPECT_TRUE(is("1.7.2207", {1, 7, 2207}));
  EXPECT_TRUE(is("1.7.2308.16", {1, 7, 2308})) << "as the metadata of a module name it";
  EXPECT_TRUE(is("1.8.2306", {1, 8, 2306}));
  for (std::size_t i = 1; i < std::size(kDxcReleases); ++i) EXPECT_TRUE(kDxcReleases[i - 1].before(kDxcReleases[i])) << i;
  for (const std::string& text : dxc_version_texts()) EXPECT_TRUE(parse_dxc_version(text)) << text;
}

TEST(DxcVersion, OthersAreRefused) {
  const auto fault = [](std::string_view text) {
    const auto version = parse_dxc_version(text);
    return version ? "none" : std::string(id(version.error().code)) + ": " + version.error().message;
  };
  for (const char* const bad :
       {"", "1", "1.", "1.7.", "1.7.2207.3.", "1.7.2207.3.4", "v1.7", "1.x", "1.7 ", "-1.7", "99999999999.1", "1..7"})
    EXPECT_EQ(fault(bad), "bad-value: must be a version of dxc such as 1.7 or 1.7.2207, found '" + std::string(bad) + "'") << bad;
  EXPECT_EQ(fault("1.3"), "unsupported: '1.3' is too old, the oldest release supported is 1.4.1907");
  EXPECT_EQ(fault("1.2.1"), "unsupported: '1.2.1' is too old, the oldest release supported is 1.4.1907");
  EXPECT_EQ(fault("0.9"), "unsupported: '0.9' is too old, the oldest release supported is 1.4.1907");
  EXPECT_EQ(fault("1.11"), "unsupported: '1.11' is unknown, the newest release known is 1.10.2605");
  EXPECT_EQ(fault("2.0"), "unsupported: '2.0' is unknown, the newest release known is 1.10.2605");
  EXPECT_EQ(fault("1.7.0.3790"), "unsupported: '1.7.0.3790' is no release of dxc, expected 1.7.2207, 1.7.2212 or 1.7.2308");
  EXPECT_EQ(fault("1.9.2605"), "unsupported: '1.9.2605' is no release of dxc, expected 1.9.2602 or 1.9.2607");
  EXPECT_EQ(fault("1.4.1900"), "unsupported: '1.4.1900' is no release of dxc, expected 1.4.1907");
}

// What is not final is left out: those operations change from release to release.
TEST(DxcStyle, TheNewestReleaseIsTheDefault) {
  std::size_t compared = 0;
  for (const auto& path : test::files_below(samples(), ".ll")) {
    const std::string name = path.stem().string();
    EXPECT_EQ(listed(name, "1.10"), listed(name, "")) << name;
    ++compared;
  }
  EXPECT_GE(compared, 17U);
}

// --- the module --------------------------------------------------------------------------------------------------------------------------

TEST(DxcStyle, PlacesAndVariablesAreTold) {
  const std::string old = listed("control_ps_6_0_zi", "1.4");
  EXPECT_FALSE(has(old, " ; var:"));
  EXPECT_FALSE(has(old, " ; line:"));
  EXPECT_TRUE(has(old, "!dbg !67\n"));
  for (const char* const version : {"1.5.2003", "1.6.2106"}) {
    const std::string text = listed("control_ps_6_0_zi", version);
    EXPECT_TRUE(has(text, "!dbg !67 ; var:\"v\" !DIExpression(DW_OP_bit_piece, 0, 32)\n")) << version;
    EXPECT_TRUE(has(text, " ; line:")) << version;
    EXPECT_FALSE(has(text, " func:\"")) << version;
  }
  EXPECT_TRUE(has(listed("control_ps_6_0_zi", "1.6.2112"), "!DIExpression(DW_OP_bit_piece, 0, 32) func:\"main\"\n"));
}

TEST(DxcStyle, OperationsHaveTheirOldNames) {
  const auto comment = [](std::string_view version, std::uint32_t opcode) {
    return std::string(listing::operation_comment(version.empty() ? listing::dxc_style({}) : style_of(version), opcode));
  };
  const std::string gather = "TextureGatherCmp(srv,sampler,coord0,coord1,coord2,coord3,offset0,offset1,channel,";
  EXPECT_EQ(comment("1.6.2106", 74), gather + "compareVale)");
  EXPECT_EQ(comment("1.6.2112", 74), gather + "compareValue)");
  EXPECT_EQ(comment("", 74), gather + "compareValue)");
  EXPECT_EQ(comment("1.4", 213), "GeometryIndex()");
  EXPECT_EQ(comment("1.4", 214), "");
  EXPECT_EQ(comment("1.5.2003", 214), "RayQuery_CandidateInstanceContributionToHitGroupIndex(rayQueryHandle)");
  EXPECT_EQ(comment("1.5", 216), "CreateHandleFromHeap(index,nonUniformIndex)");
  EXPECT_EQ(comment("1.5", 217), "AnnotateHandle(res,resourceClass,resourceKind,props)");
  EXPECT_EQ(comment("1.5", 218), "");
  EXPECT_EQ(comment("1.6.2104", 216), "AnnotateHandle(res,props)");
  EXPECT_EQ(comment("1.6.2104", 222), "TextureGatherImm(srv,sampler,coord0,coord1,coord2,coord3,offset0,offset1,channel)");
  EXPECT_EQ(comment("1.6.2106", 222), "");
  EXPECT_EQ(comment("1.7.2207", 222), "QuadVote(cond,op)");
  EXPECT_EQ(comment("1.7", 226), "");
  EXPECT_EQ(comment("1.8.2306", 226), "WaveMatrix_Annotate(waveMatrixPtr,waveMatProps)");
  EXPECT_EQ(comment("1.8.2407", 226), "WaveMatrix_Annotate(waveMatrixPtr,waveMatProps)");
  EXPECT_EQ(comment("1.8.2502", 226), "Reserved0()");
  EXPECT_EQ(comment("1.8.2306", 244), "BarrierByMemoryType(MemoryTypeFlags,AccessFlags,SyncFlags)");
  EXPECT_EQ(comment("1.8.2403", 244), "BarrierByMemoryType(MemoryTypeFlags,SemanticFlags)");
  EXPECT_EQ(comment("1.8.2306", 254), "");
  EXPECT_TRUE(comment("1.8.2403", 254).starts_with("SampleCmpGrad("));
  EXPECT_EQ(comment("1.8.2502", 258), "");
  EXPECT_EQ(comment("1.8.2505", 258), "AllocateRayQuery2(constRayFlags,constRayQueryFlags)");
  EXPECT_EQ(comment("1.9.2602", 308), "VectorAccumulate(inputVector,arrayBuffer,arrayOffset)");
  EXPECT_EQ(comment("1.9.2607", 308), "ReservedD3()");
  EXPECT_EQ(comment("1.8.2505", 311), "");
  EXPECT_EQ(comment("1.9.2602", 311), "FDot(a,b)");
  EXPECT_EQ(comment("1.8.2505", 0x8000'0000), "");
  EXPECT_EQ(comment("1.9.2602", 0x8000'0000), "ExperimentalNop()");
  EXPECT_EQ(comment("1.9.2602", 0x8000'000b), "CreateMatrix()");
  EXPECT_EQ(comment("1.9.2607", 0x8000'000b), "LinAlgMatrixMultiplyAccumulate(matrixA,matrixB,matrixC)");
  EXPECT_EQ(comment("1.9.2602", 0x8000'0021), "");
  EXPECT_EQ(comment("1.10", 0x8000'0022), "IsDebuggerPresent()");
  EXPECT_EQ(comment("", 0x8000'0022), "IsDebuggingEnabled()");
  EXPECT_EQ(comment("", 312), "");
  for (const DxcVersion& version : kDxcReleases)
    for (std::uint32_t opcode = 0; opcode < 214; ++opcode) {
      if (opcode == 74) continue;
      EXPECT_EQ(listing::operation_comment(listing::dxc_style(version), opcode), find_operation(opcode)->comment) << opcode;
    }
}

constexpr std::string_view kHandles =
    R"(target datalayout = "e-m:e-p:32:32-i1:32-i8:32-i16:32-i32:32-i64:64-f16:32-f32:32-f64:64-n8:16:32:64"
target triple = "dxil-ms-dx"

%dx.types.Handle = type { i8* }
%dx.types.ResourceProperties = type { i32, i32 }

define void @main() {
  %1 = call %dx.types.Handle @dx.op.annotateHandle(i32 216, %dx.types.Handle undef, %dx.types.ResourceProperties { i32 69634, i32 1033 })
  %2 = call %dx.types.Handle @dx.op.annotateHandle(i32 216, %dx.types.Handle undef, %dx.types.ResourceProperties { i32 20492, i32 16 })
  ret void
}

declare %dx.types.Handle @dx.op.annotateHandle(i32, %dx.types.Handle, %dx.types.ResourceProperties)
)";

TEST(DxcStyle, ReorderCoherenceIsTold) {
  EXPECT_TRUE(has(listed_again(kHandles, "1.8.2505"), "; AnnotateHandle(res,props)  resource: reordercoherent RWTexture2D<4xF32>\n"));
  EXPECT_TRUE(has(listed_again(kHandles, "1.8.2502"), "; AnnotateHandle(res,props)  resource: RWTexture2D<4xF32>\n"));
  EXPECT_TRUE(
      has(listed_again(kHandles, "1.6.2104"), "; AnnotateHandle(res,props)  resource: globallycoherent RWStructuredBuffer<stride=16>\n"));
  EXPECT_TRUE(has(listed_again(kHandles, "1.5"), "; CreateHandleFromHeap(index,nonUniformIndex)\n"));
  EXPECT_TRUE(has(listed_again(kHandles, "1.4"), "  ; invalid DXIL opcode #216\n"));
}

TEST(DxcStyle, OldHandlesStateClassAndKind) {
  const auto comment = [](int resource_class, int kind, unsigned first, unsigned second) {
    std::string text(kHandles.substr(0, kHandles.find("define")));
    text += "define void @main() {\n  %1 = call %dx.types.Handle @dx.op.annotateHandle(i32 217, %dx.types.Handle undef, i8 " +
            std::to_string(resource_class) + ", i8 " + std::to_string(kind) + ", %dx.types.ResourceProperties { i32 " +
            std::to_string(first) + ", i32 " + std::to_string(second) +
            " })\n  ret void\n}\n\n"
            "declare %dx.types.Handle @dx.op.annotateHandle(i32, %dx.types.Handle, i8, i8, %dx.types.ResourceProperties)\n";
    const std::string listing = listed_again(text, "1.5");
    const std::string_view name = "  ; AnnotateHandle(res,resourceClass,resourceKind,props)  resource: ";
    const std::size_t at = listing.find(name);
    return at == listing.npos ? "none" : listing.substr(at + name.size(), listing.find('\n', at) - at - name.size());
  };
  constexpr int kSrv = 0, kUav = 1, kCbuffer = 2, kSampler = 3;
  EXPECT_EQ(comment(kSrv, 2, 9, 0), "Texture2D<F32>");
  EXPECT_EQ(comment(kUav, 2, 9, 0), "RWTexture2D<F32[vec]>");
  EXPECT_EQ(comment(kUav, 10, 9 | 1 << 5, 3), "globallycoherent ROVTypedBuffer<F32>");
  EXPECT_EQ(comment(kSrv, 3, 4 | 3 << 6, 0), "Texture2DMS<I32, samples=8>");
  EXPECT_EQ(comment(kSrv, 8, 31 | 7 << 6, 0), "Texture2DMSArray<<invalid CompType>, samples=0>");
  EXPECT_EQ(comment(kUav, 11, 0, 0), "RWByteAddressBuffer");
  EXPECT_EQ(comment(kSrv, 12, 16, 0), "StructuredBuffer<stride=16>");
  EXPECT_EQ(comment(kUav, 19, 16, 0), "RWStructuredBufferWithCounter<stride=16>");
  EXPECT_EQ(comment(kCbuffer, 13, 64, 0), "CBuffer");
  EXPECT_EQ(comment(kSrv, 15, 64, 0), "TBuffer");
  EXPECT_EQ(comment(kUav, 15, 64, 0), "<invalid resource properties>");
  EXPECT_EQ(comment(kSampler, 14, 0, 0), "SamplerState");
  EXPECT_EQ(comment(kSampler, 20, 0, 0), "SamplerComparisonState");
  EXPECT_EQ(comment(kSampler, 2, 0, 0), "");
  EXPECT_EQ(comment(kSrv, 16, 0, 0), "RTAccelerationStructure");
  EXPECT_EQ(comment(kUav, 17, 1, 0), "FeedbackTexture2D<MipRegionUsed>");
  EXPECT_EQ(comment(kUav, 18, 9, 0), "FeedbackTexture2DArray<<invalid sampler feedback type>>");
  EXPECT_EQ(comment(kSrv, 0, 0, 0), "<invalid resource properties>");
  EXPECT_EQ(comment(kSrv, 99, 0, 0), "<invalid resource properties>");
  // An operation of today with this opcode: what would be its properties is missing.
  const std::string text = listed_again(R"(%dx.types.Handle = type { i8* }

define void @main() {
  %1 = call %dx.types.Handle @dx.op.createHandleFromBinding(i32 217, { i32, i32, i32, i8 } zeroinitializer, i32 0, i1 false)
  ret void
}

declare %dx.types.Handle @dx.op.createHandleFromBinding(i32, { i32, i32, i32, i8 }, i32, i1)
)",
                                        "1.5");
  EXPECT_TRUE(has(text, "  ; AnnotateHandle(res,resourceClass,resourceKind,props)\n")) << text;
}

TEST(DxcStyle, CastsOfFirstMembersAreFolded) {
  constexpr std::string_view kText = R"(@g = internal addrspace(3) global [4 x [4 x float]] undef, align 4
@p = global i32 addrspace(3)* bitcast (float addrspace(3)* getelementptr inbounds ([4 x [4 x float]], [4 x [4 x float]] addrspace(3)* @g, i32 0, i32 0, i32 0) to i32 addrspace(3)*)
@q = global i32 addrspace(3)* bitcast (float addrspace(3)* getelementptr inbounds ([4 x [4 x float]], [4 x [4 x float]] addrspace(3)* @g, i32 0, i32 0, i32 1) to i32 addrspace(3)*)
@s = global [4 x [4 x float]] addrspace(3)* bitcast (float addrspace(3)* getelementptr inbounds ([4 x [4 x float]], [4 x [4 x float]] addrspace(3)* @g, i32 0, i32 0, i32 0) to [4 x [4 x float]] addrspace(3)*)
@n = global i32 ptrtoint (float addrspace(3)* getelementptr inbounds ([4 x [4 x float]], [4 x [4 x float]] addrspace(3)* @g, i32 0, i32 0, i32 0) to i32)
@a = global float* addrspacecast (float addrspace(3)* getelementptr inbounds ([4 x [4 x float]], [4 x [4 x float]] addrspace(3)* @g, i32 0, i32 0, i32 0) to float*)
)";
  const std::string now = listed_again(kText, "1.5.2003");
  for (const char* const line : {"@p = ", "@q = ", "@s = ", "@n = ", "@a = "}) {
    const std::string same = between(kText, line, "\n");
    EXPECT_TRUE(has(now, same)) << now;
  }
  const std::string old = listed_again(kText, "1.4");
  EXPECT_EQ(between(old, "@p = ", "\n"), "@p = global i32 addrspace(3)* bitcast ([4 x [4 x float]] addrspace(3)* @g to i32 addrspace(3)*)");
  EXPECT_EQ(between(old, "@q = ", "\n"), between(now, "@q = ", "\n"));
  EXPECT_EQ(between(old, "@s = ", "\n"), "@s = global [4 x [4 x float]] addrspace(3)* @g");
  EXPECT_EQ(between(old, "@n = ", "\n"), "@n = global i32 ptrtoint ([4 x [4 x float]] addrspace(3)* @g to i32)");
  EXPECT_EQ(between(old, "@a = ", "\n"), between(now, "@a = ", "\n"));
}

// --- parts -------------------------------------------------------------------------------------------------------------------------------

TEST(DxcStyle, RuntimeInformationGrew) {
  EXPECT_EQ(runtime_info("bitonic_cs_6_0", "1.6.2112"), "; Pipeline Runtime Information: ");
  EXPECT_EQ(runtime_info("bitonic_cs_6_0", "1.7.2207"), R"(; Pipeline Runtime Information: 
;
; Compute Shader
; NumThreads=(512,1,1))");
  EXPECT_EQ(runtime_info("bitonic_cs_6_0", "1.8.2407"), runtime_info("bitonic_cs_6_0", "1.7.2207"));
  const std::string_view behind = R"(
; MinimumExpectedWaveLaneCount: 0
; MaximumExpectedWaveLaneCount: 4294967295
; UsesViewID: false
; SigInputElements: 0
; SigOutputElements: 0
; SigPatchConstOrPrimElements: 0
; SigInputVectors: 0
; SigOutputVectors[0]: 0
; SigOutputVectors[1]: 0
; SigOutputVectors[2]: 0
; SigOutputVectors[3]: 0
; EntryFunctionName: main)";
  EXPECT_EQ(runtime_info("bitonic_cs_6_0", "1.8.2502"), R"(; Pipeline Runtime Information: 
;
;PSVRuntimeInfo:
; Compute Shader
; NumThreads=(512,1,1))" + std::string(behind));
  EXPECT_EQ(runtime_info("bitonic_cs_6_0", "1.8.2505"), runtime_info("bitonic_cs_6_0", "1.8.2502"));
  EXPECT_EQ(runtime_info("bitonic_cs_6_0", "1.9.2602"), R"(; Pipeline Runtime Information: 
;
;PSVRuntimeInfo:
; Compute Shader
; NumThreads=(512,1,1)
; NumBytesGroupSharedMemory: 2048)" + std::string(behind));
  EXPECT_EQ(runtime_info("bitonic_cs_6_0", "1.9.2602"), runtime_info("bitonic_cs_6_0", ""));
  EXPECT_EQ(runtime_info("mesh_as_6_5", "1.6"), "; Pipeline Runtime Information: ");
  EXPECT_EQ(runtime_info("mesh_as_6_5", "1.7"), R"(; Pipeline Runtime Information: 
;
; Amplification Shader
; NumThreads=(32,1,1))");
  EXPECT_EQ(runtime_info("mesh_ms_6_5", "1.6"), "; Pipeline Runtime Information: ");
  EXPECT_EQ(runtime_info("mesh_ms_6_5", "1.7"), R"(; Pipeline Runtime Information: 
;
; Mesh Shader
; MeshOutputTopology=triangle
; NumThreads=(64,1,1))");
  EXPECT_EQ(runtime_info("tessellate_hs_6_5", "1.4"), R"(; Pipeline Runtime Information: 
;
; Hull Shader
; InputControlPointCount=4
; OutputControlPointCount=4
; Domain=quad
; OutputPrimitive=triangle_cw)");
}

TEST(DxcStyle, WaveSizeIsToldIfItIsOne) {
  const auto bytes = read_bytes(samples() / "bitonic_cs_6_0.dxil");
  const auto container = dxcontainer::parse_container(view_of(bytes));
  ASSERT_TRUE(container);
  const auto* const part = container->find(fourcc("PSV0"));
  ASSERT_NE(part, nullptr);
  // Size of the record, then 16 bytes of the stage.
  constexpr std::size_t kMinimum = 20;
  std::vector<std::byte> psv(part->data.bytes().begin(), part->data.bytes().end());
  test::put_u32(psv, kMinimum, 32);
  test::put_u32(psv, kMinimum + 4, 32);
  const auto list = [&](std::string_view version) {
    Text text;
    EXPECT_TRUE(listing::list_runtime_info({fourcc("PSV0"), 0, view_of(psv)}, ShaderKind::compute, style_of(version), text));
    return text.str();
  };
  EXPECT_EQ(list("1.5.2010"), ";\n; Pipeline Runtime Information: \n;\n;\n");
  EXPECT_EQ(list("1.6.2104"), ";\n; Pipeline Runtime Information: \n;\n; WaveSize=32\n;\n");
  EXPECT_EQ(list("1.7.2207"), ";\n; Pipeline Runtime Information: \n;\n; Compute Shader\n; NumThreads=(512,1,1)\n; WaveSize=32\n;\n");
  EXPECT_TRUE(has(list("1.8.2502"), "\n; WaveSize=32\n; UsesViewID: false\n"));
}

TEST(DxcStyle, TheSignatureOfPatchesWasNamedTwice) {
  EXPECT_TRUE(
      has(listed("tessellate_hs_6_5", "1.8.2407"), ";\n; Patch Constant signature signature:\n;\n; Name                 Index   Mask"));
  const std::string text = listed("tessellate_hs_6_5", "1.8.2502");
  EXPECT_TRUE(has(text, ";\n; Patch Constant signature:\n;\n; Name                 Index   Mask"));
  EXPECT_FALSE(has(text, "signature signature"));
  EXPECT_TRUE(
      has(listed("tessellate_hs_6_5", "1.4"), ";\n; Patch Constant signature:\n;\n; Name                 Index             InterpMode"))
      << "that of metadata was not";
}

std::string features_text(std::uint64_t flags, std::string_view version) {
  std::vector<std::byte> bytes(8);
  test::put_u32(bytes, 0, static_cast<std::uint32_t>(flags));
  test::put_u32(bytes, 4, static_cast<std::uint32_t>(flags >> 32));
  dxcontainer::Container container;
  container.parts.push_back({fourcc("SFI0"), 0, view_of(bytes)});
  Text text;
  EXPECT_TRUE(listing::list_container_parts(container, style_of(version), ~std::size_t{0}, text));
  return text.str();
}

TEST(DxcStyle, FeaturesWereAdded) {
  constexpr std::uint64_t kAll = std::uint64_t{1} << 21 | std::uint64_t{1} << 22 | std::uint64_t{1} << 27 | std::uint64_t{1} << 29 |
                                 std::uint64_t{1} << 31 | std::uint64_t{1} << 40;
  const std::string head = ";\n; Note: shader requires additional functionality:\n;       Sampler feedback\n";
  const std::string atomics = ";       64-bit Atomics on Typed Resources\n";
  EXPECT_EQ(features_text(kAll, "1.5"), head + ";\n");
  EXPECT_EQ(features_text(kAll, "1.6.2104"), head + atomics + ";       <RESERVED>\n;\n");
  const std::string texture_ops = ";       Advanced Texture Ops\n";
  EXPECT_EQ(features_text(kAll, "1.7.2207"), head + atomics + ";       <RESERVED>\n" + texture_ops + ";\n");
  EXPECT_EQ(features_text(kAll, "1.8.2306"), head + atomics + ";       Wave Matrix\n" + texture_ops + ";\n");
  EXPECT_EQ(features_text(kAll, "1.8.2403"), head + atomics + ";       Wave Matrix\n" + texture_ops +
                                                 ";       SampleCmp with gradient or bias\n;\n"
                                                 "; Note: shader has optional feature flags set:\n"
                                                 ";       Function uses derivatives\n;\n");
  EXPECT_EQ(features_text(std::uint64_t{1} << 40, "1.7"), ";\n; Note: shader requires additional functionality:\n;\n");
}

// --- metadata ----------------------------------------------------------------------------------------------------------------------------

TEST(DxcStyle, SampleCountsWereCharacters) {
  const auto dimension = [](std::uint32_t samples, std::string_view version) {
    ProgramMetadata metadata;
    ProgramResource texture;
    texture.resource_class = ResourceClass::srv;
    texture.kind = ResourceKind::texture2d_ms;
    texture.name = "t";
    texture.component_type = static_cast<std::uint32_t>(ComponentType::f32);
    texture.sample_count = samples;
    texture.count = 1;
    metadata.shader_resources.push_back(texture);
    Text text;
    listing::list_resource_bindings(metadata, style_of(version), ~std::size_t{0}, text);
    return between(text.view(), "f32", "      T0").substr(3);
  };
  EXPECT_EQ(dimension(0, "1.5"), "        2dMS");
  EXPECT_EQ(dimension(8, "1.5.2010"), "       2dMS\b");
  EXPECT_EQ(dimension(8, "1.6.2104"), "       2dMS8");
  EXPECT_EQ(dimension(16, "1.6.2104"), "      2dMS16");
  EXPECT_EQ(dimension(10, "1.5"), "      2dMS10") << "a line break would end the comment";
  EXPECT_EQ(dimension(256, "1.5"), "     2dMS256");
  EXPECT_EQ(dimension(13 + 256, "1.5"), "     2dMS269");
}

TEST(DxcStyle, ArraysOfArraysOfBuffers) {
  constexpr std::string_view kText =
      R"(target datalayout = "e-m:e-p:32:32-i1:32-i8:32-i16:32-i32:32-i64:64-f16:32-f32:32-f64:64-n8:16:32:64"
target triple = "dxil-ms-dx"

%"class.StructuredBuffer<vector<float, 4> >" = type { <4 x float> }

@b = external constant [2 x [3 x %"class.StructuredBuffer<vector<float, 4> >"]], align 4

define void @main() {
  ret void
}

!dx.version = !{!0}
!dx.shaderModel = !{!1}
!dx.resources = !{!2}
!dx.entryPoints = !{!6}

!0 = !{i32 1, i32 0}
!1 = !{!"ps", i32 6, i32 0}
!2 = !{!3, null, null, null}
!3 = !{!4}
!4 = !{i32 0, [2 x [3 x %"class.StructuredBuffer<vector<float, 4> >"]]* @b, !"b", i32 0, i32 0, i32 6, i32 12, i32 0, !5}
!5 = !{i32 1, i32 16}
!6 = !{void ()* @main, !"main", null, !2, null}
)";
  EXPECT_TRUE(
      has(listed_again(kText, "1.7.2207"), "; Resource bind info for b\n; {\n;\n;   [48 x i8] (type annotation not present)\n;\n; }\n"));
  EXPECT_TRUE(
      has(listed_again(kText, "1.7.2212"), "; Resource bind info for b\n; {\n;\n;   [16 x i8] (type annotation not present)\n;\n; }\n"));
}

TEST(DxcStyle, OpacityMicromapsHaveAFlag) {
  RdatSubobject config;
  config.kind = SubobjectKind::raytracing_pipeline_config1;
  config.name.text = "c";
  config.flags = 0x500;
  Rdat rdat;
  rdat.subobjects.rows = {config};
  const auto list = [&](std::string_view version) {
    Text text;
    listing::list_subobjects(rdat, style_of(version), ~std::size_t{0}, text);
    return between(text.view(), "Flags = ", " };");
  };
  EXPECT_EQ(list("1.8.2502"), "Flags = RAYTRACING_PIPELINE_FLAG_SKIP_TRIANGLES | <invalid RaytracingPipelineFlags>");
  EXPECT_EQ(list("1.8.2505"), "Flags = RAYTRACING_PIPELINE_FLAG_SKIP_TRIANGLES | RAYTRACING_PIPELINE_FLAG_ALLOW_OPACITY_MICROMAPS");
}

// --- assembling --------------------------------------------------------------------------------------------------------------------------

// What an older dxc says in comments is no edit of them.
TEST(DxcStyle, EveryListingAssembles) {
  for (const auto& path : test::files_below(samples(), ".ll")) {
    const auto bytes = read_bytes(std::filesystem::path(path).replace_extension(".dxil"));
    const auto container = dxcontainer::parse_container(view_of(bytes));
    ASSERT_TRUE(container) << path;
    for (const char* const version : {"1.4", "1.5", "1.6", "1.7", "1.8.2407", "1.8.2505"}) {
      ListingOptions options;
      options.dxc = release(version);
      Text text;
      ASSERT_TRUE(disassemble(*container, text, options)) << path;
      const Assembly made = assemble_into(text.view(), *container);
      EXPECT_TRUE(made.ok) << path << ' ' << version;
      for (const Message& message : made.messages)
        EXPECT_EQ(message.severity, Severity::note) << path << ' ' << version << ": " << message.text;
    }
  }
}

// A comment that was edited is none of an older dxc, which has no comment there.
TEST(DxcStyle, EditedCommentsAreStillRefused) {
  const auto bytes = read_bytes(samples() / "control_ps_6_0_zi.dxil");
  const auto container = dxcontainer::parse_container(view_of(bytes));
  ASSERT_TRUE(container);
  const auto messages = [&](std::optional<DxcVersion> version, std::string_view from, std::string_view to, bool sections) {
    ListingOptions options;
    options.dxc = version;
    options.sections = sections;
    Text text;
    EXPECT_TRUE(disassemble(*container, text, options));
    std::string edited = text.str();
    const std::size_t at = edited.find(from);
    EXPECT_NE(at, edited.npos) << from;
    if (at != edited.npos) edited.replace(at, from.size(), to);
    std::string all;
    for (const Message& message : assemble_into(edited, *container).messages)
      if (message.severity != Severity::note) all += message.text + '\n';
    return all;
  };
  for (const bool sections : {false, true}) {
    EXPECT_NE(messages({}, " ; line:", " ; line:9", sections), "") << sections;
    EXPECT_NE(messages({}, "var:\"v\"", "var:\"w\"", sections), "") << sections;
    EXPECT_NE(messages(release("1.6.2106"), " ; line:", " ; line:9", sections), "") << sections;
    EXPECT_NE(messages(release("1.4"), "LoadInput(", "LoadOutput(", sections), "") << sections;
    EXPECT_EQ(messages(release("1.4"), "; LoadInput(", "; LoadInput(", sections), "") << sections;
  }
}

}  // namespace

}  // namespace unshade::dxil
