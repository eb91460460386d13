#include "instrument/sampler/frame_program.h"

#include <vector>

namespace syncsniff::sampler {
namespace {

// DWARF 5, 7.24. The upper two bits identify the first three instructions, whose operand is in the other six bits.
constexpr uint8_t kAdvance = 0x40, kOffset = 0x80, kRestore = 0xc0, kOperand = 0x3f;
enum Instruction : uint8_t {
  kNop = 0x00,
  kAdvance1 = 0x02,
  kAdvance2 = 0x03,
  kAdvance4 = 0x04,
  kOffsetExtended = 0x05,
  kRestoreExtended = 0x06,
  kUndefined = 0x07,
  kSameValue = 0x08,
  kRegister = 0x09,
  kRememberState = 0x0a,
  kRestoreState = 0x0b,
  kDefineCfa = 0x0c,
  kDefineCfaRegister = 0x0d,
  kDefineCfaOffset = 0x0e,
  kDefineCfaExpression = 0x0f,
  kExpression = 0x10,
  kOffsetExtendedSigned = 0x11,
  kDefineCfaSigned = 0x12,
  kDefineCfaOffsetSigned = 0x13,
  kValueOffset = 0x14,
  kValueOffsetSigned = 0x15,
  kValueExpression = 0x16,
  kGnuArgumentsSize = 0x2e,
};
constexpr uint64_t kFramePointer = 6, kStackPointer = 7;  // their DWARF register numbers on x86-64
constexpr size_t kMostRemembered = 16;

// Skips the operands of an instruction that does not affect the CFA. Returns false if the instruction is not known.
bool skip_operands(uint8_t instruction, DwarfBytes& bytes) {
  switch (instruction) {
    case kNop:
      return true;
    case kRestoreExtended:
    case kUndefined:
    case kSameValue:
    case kGnuArgumentsSize:
      return bytes.uleb(), true;
    case kOffsetExtended:
    case kRegister:
    case kValueOffset:
      return bytes.uleb(), bytes.uleb(), true;
    case kOffsetExtendedSigned:
    case kValueOffsetSigned:
      return bytes.uleb(), bytes.sleb(), true;
    case kExpression:
    case kValueExpression:
      return bytes.uleb(), bytes.skip(bytes.uleb()), true;
    default:
      return false;
  }
}

}  // namespace

uint64_t DwarfBytes::uleb() {
  uint64_t result = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    const auto byte = value<uint8_t>();
    result |= static_cast<uint64_t>(byte & 0x7f) << shift;
    if (byte < 0x80) break;
  }
  return result;
}

int64_t DwarfBytes::sleb() {
  uint64_t result = 0;
  for (unsigned shift = 0; shift < 64;) {
    const auto byte = value<uint8_t>();
    result |= static_cast<uint64_t>(byte & 0x7f) << shift;
    shift += 7;
    if (byte >= 0x80) continue;
    if (shift < 64 && (byte & 0x40) != 0) result |= ~uint64_t{0} << shift;
    break;
  }
  return static_cast<int64_t>(result);
}

std::string DwarfBytes::text() {
  // If there are no bytes, there may be no valid address.
  const void* const zero = at_ != end_ ? std::memchr(at_, 0, static_cast<size_t>(end_ - at_)) : nullptr;
  if (zero == nullptr) return failed_ = true, "";
  std::string result(at_, static_cast<const char*>(zero));
  at_ += result.size() + 1;
  return result;
}

void DwarfBytes::skip(uint64_t bytes) {
  if (bytes > static_cast<uint64_t>(end_ - at_)) bytes = static_cast<uint64_t>(end_ - at_), failed_ = true;
  at_ += bytes;
}

DwarfBytes DwarfBytes::part(uint64_t bytes) {
  const char* const begin = at_;
  skip(bytes);
  return {begin, at_};
}

bool FrameProgram::run(DwarfBytes bytes, uint64_t location, uint64_t address, FrameState& state) const {
  std::vector<FrameState> remembered;
  while (!bytes.is_done()) {
    const auto instruction = bytes.value<uint8_t>();
    uint64_t advance = 0;
    switch (instruction & ~kOperand) {
      case kAdvance:
        advance = instruction & kOperand;
        break;
      case kOffset:
        bytes.uleb();
        continue;
      case kRestore:
        continue;
      default:
        switch (instruction) {
          case kAdvance1:
            advance = bytes.value<uint8_t>();
            break;
          case kAdvance2:
            advance = bytes.value<uint16_t>();
            break;
          case kAdvance4:
            advance = bytes.value<uint32_t>();
            break;
          case kRememberState:
            if (remembered.size() == kMostRemembered) return false;
            remembered.push_back(state);
            break;
          case kRestoreState:
            if (remembered.empty()) return false;
            state = remembered.back();
            remembered.pop_back();
            break;
          case kDefineCfa:
            state = {bytes.uleb(), 0, false};
            state.offset = bytes.uleb();
            break;
          case kDefineCfaSigned:
            state = {bytes.uleb(), 0, false};
            state.offset = static_cast<uint64_t>(bytes.sleb() * data_alignment);
            break;
          case kDefineCfaRegister:
            state.base_register = bytes.uleb();
            break;
          case kDefineCfaOffset:
            state.offset = bytes.uleb();
            break;
          case kDefineCfaOffsetSigned:
            state.offset = static_cast<uint64_t>(bytes.sleb() * data_alignment);
            break;
          case kDefineCfaExpression:
            state.is_expression = true;
            bytes.skip(bytes.uleb());
            break;
          default:
            if (!skip_operands(instruction, bytes)) return false;
        }
    }
    location += advance * code_alignment;
    if (location > address) break;
  }
  return !bytes.failed();
}

FrameRule rule_of(const FrameState& state) {
  FrameRule rule;
  if (state.is_expression) return rule;
  if (state.base_register == kStackPointer) rule.base = FrameRule::Base::kStackPointer;
  if (state.base_register == kFramePointer) rule.base = FrameRule::Base::kFramePointer;
  rule.offset = state.offset;
  return rule;
}

}  // namespace syncsniff::sampler
