// Inputs of worked examples: sources that several verbs show.
#pragma once

#include "cli/line/verb.hpp"

namespace unshade::cli::verbs::samples {

/// A pixel shader of one color.
inline constexpr SampleFile kOrange{"orange.asm", R"(// Output signature:
// SV_Target 0 xyzw 0 TARGET float xyzw
ps_5_0
dcl_output o0.xyzw
mov o0.xyzw, l(1.0, 0.5, 0, 1.0)
ret
)"};

/// A pixel shader with a constant buffer.
inline constexpr SampleFile kTint{"tint.asm", R"(// Buffer Definitions:
// cbuffer Material
// {
//   float4 tint;  // Offset: 0 Size: 16
// }
//
// Resource Bindings:
// Material cbuffer NA NA 0 1
//
// Output signature:
// SV_Target 0 xyzw 0 TARGET float xyzw
ps_5_0
dcl_constantbuffer CB0[1], immediateIndexed
dcl_output o0.xyzw
mov o0.xyzw, cb0[0].xyzw
ret
)"};

/// A compute shader that squares the numbers of its threads.
inline constexpr SampleFile kSquares{"squares.asm", R"(cs_5_0
dcl_uav_structured u0, 4
dcl_input vThreadID.x
dcl_temps 1
dcl_thread_group 4, 1, 1
imul null, r0.x, vThreadID.x, vThreadID.x
store_structured u0.x, vThreadID.x, l(0), r0.x
ret
)"};

/// A fragment shader in SPIR-V.
inline constexpr SampleFile kWhite{"white.spvasm", R"(OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint Fragment %main "main" %color
OpExecutionMode %main OriginUpperLeft
OpDecorate %color Location 0
%void = OpTypeVoid
%function = OpTypeFunction %void
%float = OpTypeFloat 32
%float4 = OpTypeVector %float 4
%pointer = OpTypePointer Output %float4
%color = OpVariable %pointer Output
%one = OpConstant %float 1
%white = OpConstantComposite %float4 %one %one %one %one
%main = OpFunction %void None %function
%entry = OpLabel
OpStore %color %white
OpReturn
OpFunctionEnd
)"};

/// PICA200 vertex shaders.
inline constexpr SampleFile kPlace{"place.v.pica", R"(.out pos position
.in point
.proc main
  mov pos, point
  end
.end
)"};
inline constexpr SampleFile kScale{"scale.v.pica", R"(.fvec scale
.out pos position
.in point
.proc main
  mul pos, scale, point
  end
.end
)"};

}  // namespace unshade::cli::verbs::samples
