// The few C functions that Embedded Swift calls, for WebAssembly without a C library.
#if defined(__wasm__)
#include <stddef.h>
#include <stdint.h>

// Memory comes from the end of what the linker laid out, in blocks of 16, 32, 64 ... bytes behind a header of 16
// that names the block's class. A freed block goes to the list of its class and is handed out again.
enum { header = 16, smallest = 4, classes = 32 };
extern unsigned char __heap_base;
static uintptr_t heap_end;
static void *free_blocks[classes];

static unsigned class_for(size_t size) {
    unsigned c = smallest;
    while (c < classes && ((size_t)1 << c) < size) c++;
    return c;
}

static unsigned char *fresh(size_t size) {
    if (heap_end == 0) heap_end = ((uintptr_t)&__heap_base + 15) & ~(uintptr_t)15;
    const uintptr_t start = heap_end, end = start + size;
    const uintptr_t there = (uintptr_t)__builtin_wasm_memory_size(0) << 16;
    if (end < start) return NULL;
    if (end > there && __builtin_wasm_memory_grow(0, (end - there + 0xFFFF) >> 16) == (size_t)-1) return NULL;
    heap_end = end;
    return (unsigned char *)start;
}

// Counted, so that a test can hold a frame to allocating nothing.
static uint32_t allocations;
__attribute__((export_name("allocation_count"))) uint32_t allocation_count(void) { return allocations; }

void *malloc(size_t size) {
    const unsigned c = class_for(size);
    if (c >= classes - 1) return NULL;
    allocations++;
    void **kept = free_blocks[c];
    if (kept != NULL) {
        free_blocks[c] = *kept;
        return kept;
    }
    unsigned char *block = fresh(header + ((size_t)1 << c));
    if (block == NULL) return NULL;
    *(uint32_t *)block = c;
    return block + header;
}

void free(void *memory) {
    if (memory == NULL) return;
    const uint32_t c = *(uint32_t *)((unsigned char *)memory - header);
    *(void **)memory = free_blocks[c];
    free_blocks[c] = memory;
}

int posix_memalign(void **result, size_t alignment, size_t size) {
    if (alignment > header) return 22;  // EINVAL: every block is aligned to 16
    void *memory = malloc(size);
    if (memory == NULL) return 12;  // ENOMEM
    *result = memory;
    return 0;
}

// Instructions of the bulk memory proposal, which every browser with WebAssembly has had since 2021.
void *memset(void *to, int byte, size_t count) { return __builtin_memset(to, byte, count); }
void *memcpy(void *to, const void *from, size_t count) { return __builtin_memcpy(to, from, count); }
void *memmove(void *to, const void *from, size_t count) { return __builtin_memmove(to, from, count); }

// WebAssembly rounds halves to even only.
double round(double x) {
    const double whole = __builtin_trunc(x);
    return __builtin_fabs(x - whole) >= 0.5 ? whole + __builtin_copysign(1, x) : whole;
}
#endif
