/* The one library that Windows has since version 7 and wine has since version 9 only: random bytes for Rust's standard
 * library. For tests under an older wine; never shipped. */
#include <windows.h>
#include <ntsecapi.h>

__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE data, SIZE_T length) {
  return RtlGenRandom(data, (ULONG)length);
}
