// Which components of r registers can have been written when an instruction reads them, over structured flow control.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace unshade::dxbc::validate {

/// A component is taken as written if it is on any path: compilers leave to the source what holds on all of them. Told of each instruction
/// of a body in order, its reads first, then what it does to the flow, then its writes.
class WrittenTemps {
 public:
  /// A component that is read.
  struct Read {
    std::uint32_t component = 0;    ///< 4 for each register
    std::uint32_t instruction = 0;  ///< its number
    std::uint32_t token = 0;        ///< of the operand, from the version token
    std::uint16_t code = 0;
    std::uint8_t slot = 0;
  };

  /// A body or phase begins. `registers` of it are declared.
  void begin(std::uint32_t registers);
  /// Gives up: the blocks do not match.
  void stop() { is_active_ = false; }
  /// Whether an instruction here can be reached; true if that is not known.
  bool is_reachable() const { return !is_active_ || now_.is_reachable; }

  void read(const Read& read);
  void write(std::uint32_t component, std::uint32_t instruction);

  void begin_if();
  void begin_else();
  void begin_switch();
  void begin_case(bool is_default);
  void begin_loop(std::uint32_t instruction);
  /// endif, endswitch and endloop.
  void end_block();
  /// break and breakc.
  void leave_block(bool always);
  /// continue, ret and their conditional forms.
  void leave(bool always);
  /// A call, or the label of a function: what callers and functions write is known at the end alone.
  void call() { has_calls_ = true; }
  void begin_function();

  /// The body or phase ends: gives the reads of components that no path writes.
  std::vector<Read> finish();

 private:
  struct State {
    std::vector<std::uint64_t> written;  ///< a bit for each component
    bool is_reachable = true;
  };
  enum class Kind : std::uint8_t { if_, switch_, loop };
  struct Block {
    Kind kind = Kind::if_;
    bool has_other = false;  ///< else or default
    std::uint32_t first_instruction = 0;
    std::size_t first_waiting = 0;  ///< in waiting_, of the reads in it
    State entry;                    ///< if, switch
    State behind;                   ///< what leaves it: the first branch of an if, breaks
  };

  static void join(State& into, const State& other);
  void open(Kind kind, std::uint32_t instruction);

  bool is_active_ = true;
  bool has_calls_ = false;
  std::size_t loops_ = 0;
  State now_;
  std::vector<Block> blocks_;
  std::vector<std::uint32_t> last_write_;  ///< by component: the instruction's number and 1; 0: none so far
  std::vector<Read> waiting_;              ///< that a later write in a loop, or a function, can come before
  std::vector<Read> found_;
};

}  // namespace unshade::dxbc::validate
