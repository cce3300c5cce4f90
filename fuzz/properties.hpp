// What has to hold for every sequence of bytes, one plain function each. libFuzzer runs them (target.cpp), and so do tests, which replay
// samples and past finds with any compiler.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include <unshade/core/view.hpp>

namespace unshade::fuzz {

/// A text may be this many times as long as its file, and kTextBase more.
inline constexpr std::size_t kTextPerByte = 64;
inline constexpr std::size_t kTextBase = std::size_t{1} << 20;

/// Each returns an empty text where its property holds, else what is broken.

/// Opening gives a shader whose parts lie in the file, or an error with a path and an offset in the file.
std::string open(View file);
/// Listings, by every option, are made or refused, and stay in proportion to the file.
std::string listing(View file);
/// The field tree names every byte once, and each of its values can be printed.
std::string annotate(View file);
/// Reflection refers only to things it has, and prints as tables and as HLSL in proportion to the file.
std::string reflection(View file);
/// Findings have rules, lie in the file and are in order; what is not valid for one reason is still looked through for others.
std::string validation(View file);
/// Level 9 parts: parsed, each token decoded and printed.
std::string level9(View file);
/// Effects: parsed, their shaders in the file; with another shader they are read again.
std::string effect(View file);
/// Debug parts: parsed, sources and names of all variables printed.
std::string debug_info(View file);
/// What a writer makes of a part is read again, and comes out the same the second time.
std::string rewrite(View file);

/// A SHBIN that is read is written to the byte; laid out anew, it is the same program.
std::string pica_rewrite(View file);
/// Any text: assembled, or refused with messages that have a place; what is made of it is listed, and assembles to the same again.
std::string pica_assemble(View file);
/// Linked to itself, and taken apart: made or refused; what is made is read again.
std::string pica_link(View file);

/// Bitcode, in a file of its own or in a container: what is read is written to the bit, listed, and has a place in the tree for every byte.
std::string dxil_bitstream(View file);
/// A module that is read refers only to things it has.
std::string dxil_module(View file);
/// Any text: bitcode is made of it that is read and listed again, or it is refused with a message.
std::string dxil_assemble(View file);
/// The exact listing of a module, or of a container's, assembles, and to the same a second time; into its container it changes nothing.
std::string dxil_roundtrip(View file);

/// Any text: assembled into a container that is read again, or refused with messages that have a place.
std::string dxbc_assemble(View file);
/// The exact listing of a token program assembles to the same tokens.
std::string dxbc_roundtrip(View file);

/// Any text: a root signature is made of it, which prints to text that makes the same, or it is refused with messages that have a place.
std::string root_signature_text(View file);
/// An MSF file that is read and written has the same streams.
std::string msf_rewrite(View file);

/// A SPIR-V module: its operands cover its words, and a tree all of its bytes; or an error with a place.
std::string spirv_parse(View file);
/// Its listings, by every option, stay in proportion to it.
std::string spirv_list(View file);
/// Any text: assembled, or refused with a place; the listing of what is made assembles to the same.
std::string spirv_assemble(View file);
/// Exact listings assemble to the same bytes.
std::string spirv_roundtrip(View file);

/// Any text: arrays lie in it, are read or refused with a place, and what is read is written and read again.
std::string source_array(View file);

/// Any text: declarations of HLSL whose members have places in their buffers, or it is refused with a place.
std::string hlsl_declarations(View file);

/// The document of a file gives the file back.
std::string document(View file);
/// The document of a file with a few edits, or any document, in a compact form of its own: made into a file in proportion to it, which
/// opens and comes back, or refused with a message.
std::string document_build(View file);

/// Any text: a VBC that comes back from its listing, or refused with a place.
std::string vbc_assemble(View file);
/// A SPIR-V module as a stage of a VBC, its tables made of it: refused, or made into a file that is read.
std::string vbc_pack(View file);

/// A file does not differ from itself, and differs from what is left of it by a text in proportion to it.
std::string difference(View file);
/// Shaders found in any bytes lie in them, in order, and open.
std::string carving(View file);
/// What is packed in a file is searched layer by layer. In the command.
std::string unpacking(View file);
/// A database whose bytes are changed gives an error or the same answers. In the command, if it has databases.
std::string damaged_database(View changes);
/// A regular expression and lines: compiled or refused, and lines that match have the text that the expression requires. In the command, if
/// it has databases.
std::string line_pattern(View file);
/// Names of a kind are those among all names; opcodes have texts.
std::string identities(View file);
/// In C, C++ or Rust, and read from there.
std::string embedding(View file);
/// The control flow of a file is found or refused; its blocks are lines of the listing and bytes of the file, and it is drawn in
/// proportion.
std::string control_flow(View file);
/// Debug information goes into a database that is read, and leaves a container.
std::string debug_file(View file);
/// Sources are found, in proportion to the file, under names that are no paths; put in, they are found again.
std::string sources(View file);
/// A root signature that is taken out and put in is the same.
std::string root_signature_edits(View file);
/// A document in LLVM's form gives the file back.
std::string llvm_document(View file);

/// Any text as a document: refused with a place, or printed to what reads the same, and built or refused. Where the command is built.
std::string document_text(View file);

/// A VBC that is read is written to the byte; its text assembles to the same; repaired, it is read again.
std::string vbc_rewrite(View file);

/// A picture in DDS comes back as it was written, and each of its texels can be loaded.
std::string picture(View file);
/// A picture in EXR is read or refused with a place in the file; what is read comes back as it was written. Where the command is built.
std::string exr(View file);

/// A shader is lowered to a valid module whose text gives it back, and whose instructions have lines in the listing; or it is refused.
std::string lower(View file);
/// A shader runs on what is made up, in bounds of time and memory, or is refused.
std::string run(View file);
/// A shader computes what it computes on generated inputs, whenever it is run, or is refused.
std::string equivalence(View file);
/// A run that was recorded is stepped through by random moves: each place has one state, moves end where they say, and the result is that
/// of the run.
std::string session(View file);
/// A shader is translated to a module in proportion to it that is read and lowered, and is valid if the shader is; or it is refused.
std::string translation(View file);
/// A shader is written as source in proportion to it, in each setting, the same text each time, with a line of the listing for each of its
/// own; or it is refused.
std::string source(View file);
/// Any text as a case, in each syntax: small modules run on it, or it is refused with a place. Where the command is built.
std::string case_text(View file);

/// Any text: a module of the IR that prints to text which makes the same, or it is refused with a place. If it verifies, it does after each
/// pass.
std::string ir_text(View file);
/// A text of the IR, or any bytes as the edges of a function: each function has a tree that gives its edges, or is refused by its name.
std::string structure(View file);

/// A kernel of the interpreter on any operands: its recordings give the same bits.
std::string recording(View file);

/// Any text: a script of Amber in which every name leads somewhere, or it is refused with a place.
std::string amber_script(View file);

/// Any text as a suite, in each syntax: its tests run on small shaders, or are refused with a place; what --update makes of it is read
/// again. Where the command is built.
std::string suite_text(View file);

/// Any text as a scene, in each syntax: drawn with small shaders, with a heat map and the history of a pixel, or refused with a place.
/// Where the command is built.
std::string scene_text(View file);
/// A glTF file: triangles of vertices that it has, or it is refused with a place. Where the command is built.
std::string gltf(View file);

/// Other names and registers, and resource definitions: refused, or made into a file that opens.
std::string edit_names(View file);

/// A module that is edited record by record: other names and registers are refused, or make a file that opens; nothing changed gives the
/// same bytes.
std::string edit_dxil(View file);

/// Stripped, signed, without and with a part again: made once for all, or refused with an error in the file.
std::string edit_container(View file);

struct Property {
  std::string_view name;
  std::string (*holds)(View file);
  unsigned memory_per_byte = 64;  ///< of the file, that tests allow it to take
};
std::span<const Property> properties();

}  // namespace unshade::fuzz
