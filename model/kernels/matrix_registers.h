// The matrix registers of processors with AMX, in the one shape in which tenon uses them.
//
// A matrix register has sixteen lines of 64 bytes. One instruction multiplies two of them and adds
// the products to a third: sixteen rows of x and sixteen of W, 32 columns of bfloat16 each. Intel
// calls a register a tile; a Tile of ours is a chunk of weights (panel_formats.h).
//
//   sums    line i: 16 floats         x[i] * W[0], x[i] * W[1], ...
//   of x    line i: 32 bfloat16       x[i][0], x[i][1], ...
//   of W    line k: 16 pairs          (W[0][2k], W[0][2k + 1]), (W[1][2k], W[1][2k + 1]), ...
//
// A system keeps 8 KB a thread for the registers, and a process has to ask for them.
//
// Source: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 1, chapter 18;
// https://docs.kernel.org/arch/x86/xstate.html (the permission).
// Cost: 16 cycles a product. Thread rule: the registers are a thread's own.
#pragma once

#if defined(__x86_64__) && defined(__linux__)
#include <cpuid.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

#if defined(__AMX_BF16__)
#include <immintrin.h>
#endif

#include <cstdint>

namespace tenon::model {

// Does the processor have matrix registers of bfloat16, and does the system give them to this
// process?
inline bool GetMatrixRegisters() {
#if defined(__x86_64__) && defined(__linux__)
  unsigned a = 0, b = 0, c = 0, d = 0;
  constexpr unsigned kFeatures = 7, kBFloat16 = 1u << 22, kTiles = 1u << 24;
  if (__get_cpuid_count(kFeatures, 0, &a, &b, &c, &d) == 0) return false;
  if ((d & kBFloat16) == 0 || (d & kTiles) == 0) return false;
  constexpr int kAskForPermission = 0x1023, kTileData = 18;  // asm/prctl.h may be older
  return syscall(SYS_arch_prctl, kAskForPermission, kTileData) == 0;
#else
  return false;
#endif
}

#if defined(__AMX_BF16__)

// The registers of the calling thread have their shape while it lives.
class MatrixRegisters {
 public:
  static constexpr int kLines = 16;
  static constexpr int kLineBytes = 64;

  MatrixRegisters() {
    Shapes shapes;
    for (int i = 0; i < kRegisters; ++i) {
      shapes.line_bytes[i] = kLineBytes;
      shapes.lines[i] = kLines;
    }
    // g++ 12 believes that the instruction reads eight bytes.
    asm volatile("" : : "r"(&shapes) : "memory");
    _tile_loadconfig(&shapes);
  }
  MatrixRegisters(const MatrixRegisters&) = delete;
  MatrixRegisters& operator=(const MatrixRegisters&) = delete;
  ~MatrixRegisters() { _tile_release(); }

 private:
  static constexpr int kRegisters = 8;
  // As the instruction reads them.
  struct alignas(kLineBytes) Shapes {
    uint8_t palette = 1, first_line = 0, reserved[14] = {};
    uint16_t line_bytes[16] = {};
    uint8_t lines[16] = {};
  };
};

#endif

}  // namespace tenon::model
