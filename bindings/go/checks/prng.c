/* The one function of bcryptprimitives.dll that Go needs, for versions of Wine that lack the library. */
#include <windows.h>

BOOLEAN NTAPI SystemFunction036(PVOID, ULONG); /* RtlGenRandom */

__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE data, SIZE_T size) {
    while (size > 0) {
        ULONG now = size > 0x10000000 ? 0x10000000 : (ULONG)size;
        if (!SystemFunction036(data, now)) return FALSE;
        data += now;
        size -= now;
    }
    return TRUE;
}
