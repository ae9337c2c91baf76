#pragma once
// Headers that the Glibc module leaves out.
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/uio.h>

/// Lets the processor fetch what will be written to soon; without it each of a thousand connections
/// waits for memory in its turn.
static inline void yonder_prefetch(const void *address) { __builtin_prefetch(address, 1); }
