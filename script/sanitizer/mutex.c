// Tells ThreadSanitizer of Swift's Mutex, preloaded by script/sanitize.
//
// A Mutex that is free is taken by an atomic exchange in the caller's own, instrumented code; one that is
// contended is taken and given back in libswiftSynchronization, which is not instrumented, so what it
// orders would go unseen. These stand in front of its functions and say so.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>

#define SELF __attribute__((swift_context)) void *self
#define HANDLE "$s15Synchronization12_MutexHandleV"

void __tsan_acquire(void *) __attribute__((weak));
void __tsan_release(void *) __attribute__((weak));

__attribute__((swiftcall)) void lock_slow(uint32_t thread, SELF) __asm__(HANDLE "9_lockSlowyys6UInt32VF");
__attribute__((swiftcall)) void unlock_slow(SELF) __asm__(HANDLE "11_unlockSlowyyF");
__attribute__((swiftcall)) bool try_lock_slow(SELF) __asm__(HANDLE "12_tryLockSlowSbyF");

static void *real(const char *name) { return dlsym(RTLD_NEXT, name); }

__attribute__((swiftcall)) void lock_slow(uint32_t thread, SELF) {
    static __attribute__((swiftcall)) void (*original)(uint32_t, SELF);
    if (!original) original = real(HANDLE "9_lockSlowyys6UInt32VF");
    original(thread, self);
    if (__tsan_acquire) __tsan_acquire(self);
}

__attribute__((swiftcall)) void unlock_slow(SELF) {
    static __attribute__((swiftcall)) void (*original)(SELF);
    if (!original) original = real(HANDLE "11_unlockSlowyyF");
    if (__tsan_release) __tsan_release(self);
    original(self);
}

__attribute__((swiftcall)) bool try_lock_slow(SELF) {
    static __attribute__((swiftcall)) bool (*original)(SELF);
    if (!original) original = real(HANDLE "12_tryLockSlowSbyF");
    bool is_locked = original(self);
    if (is_locked && __tsan_acquire) __tsan_acquire(self);
    return is_locked;
}
