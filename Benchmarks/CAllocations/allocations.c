#include "CAllocations.h"

#include <stdatomic.h>
#include <stddef.h>

static atomic_uint_fast64_t allocations;

uint64_t CAllocations_count(void) { return atomic_load(&allocations); }

#if defined(__GLIBC__)
// The program's own malloc comes before the library's.
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);

void *malloc(size_t size) {
    atomic_fetch_add(&allocations, 1);
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
    atomic_fetch_add(&allocations, 1);
    return __libc_calloc(count, size);
}
#endif
