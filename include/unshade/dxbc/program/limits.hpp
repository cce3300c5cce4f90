// Limits of Direct3D 11 that programs keep to. src: d3d11.h, the constants named.
#pragma once

#include <cstddef>
#include <cstdint>

namespace unshade::dxbc::program {

inline constexpr std::uint32_t kIoRegisters = 32;
inline constexpr std::uint32_t kIoRegisters4 = 16;           // D3D10_VS_INPUT_REGISTER_COUNT, _VS_OUTPUT_ and _GS_INPUT_
inline constexpr std::uint32_t kTargets = 8;                 // D3D11_SIMULTANEOUS_RENDER_TARGET_COUNT
inline constexpr std::uint32_t kTempRegisters = 4096;        // D3D11_COMMONSHADER_TEMP_REGISTER_COUNT, x# among them
inline constexpr std::uint32_t kBufferRegisters = 4096;      // D3D11_REQ_CONSTANT_BUFFER_ELEMENT_COUNT
inline constexpr std::uint32_t kBufferSlots = 15;            // 14, and one for the immediate buffer
inline constexpr std::uint32_t kResourceSlots = 128;         // D3D11_COMMONSHADER_INPUT_RESOURCE_SLOT_COUNT
inline constexpr std::uint32_t kSamplerSlots = 16;           // D3D11_COMMONSHADER_SAMPLER_SLOT_COUNT
inline constexpr std::uint32_t kUavSlots = 64;               // D3D11_1_UAV_SLOT_COUNT
inline constexpr std::uint32_t kUavSlotsWithoutFeature = 8;  // D3D11_PS_CS_UAV_REGISTER_COUNT
inline constexpr std::uint32_t kUavSlots4 = 1;               // D3D11_CS_4_X_UAV_REGISTER_COUNT
inline constexpr std::uint32_t kSharedBytes = 32768;         // 8192 dwords
inline constexpr std::uint32_t kSharedBytes4 = 16384;        // cs_4_0, cs_4_1
inline constexpr std::uint32_t kThreads = 1024;              // D3D11_CS_THREAD_GROUP_MAX_THREADS_PER_GROUP
inline constexpr std::uint32_t kThreads4 = 768;              // D3D11_CS_4_X_THREAD_GROUP_MAX_THREADS_PER_GROUP
inline constexpr std::uint32_t kThreadsZ = 64;               // D3D11_CS_THREAD_GROUP_MAX_Z; observed: cs_4_0 with 4, documented are 1
inline constexpr std::uint32_t kMaxVertices = 1024;          // D3D11_GS_MAX_OUTPUT_VERTEX_COUNT_ACROSS_INSTANCES
inline constexpr std::uint32_t kMaxVertexScalars = 1024;     // HLSL documentation, "dcl_maxOutputVertexCount": of all vertices
inline constexpr std::uint32_t kMaxInstances = 32;           // D3D11_GS_MAX_INSTANCE_COUNT
inline constexpr std::uint32_t kControlPoints = 32;          // D3D11_IA_PATCH_MAX_CONTROL_POINT_COUNT
inline constexpr float kMaxTessFactor = 64.0F;               // D3D11_HS_MAXTESSFACTOR_UPPER_BOUND
inline constexpr std::uint32_t kPhaseInstances = 128;        // D3D11_HS_FORK_PHASE_INSTANCE_COUNT_UPPER_BOUND, and of join phases
inline constexpr std::uint32_t kStructureBytes = 2048;       // D3D11_REQ_MULTI_ELEMENT_STRUCTURE_SIZE_IN_BYTES
inline constexpr std::uint32_t kStreams = 4;
inline constexpr std::size_t kFlowDepth = 64;  // D3D11_COMMONSHADER_FLOWCONTROL_NESTING_LIMIT

}  // namespace unshade::dxbc::program
