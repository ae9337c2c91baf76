#pragma once
// Headers that the Glibc module leaves out.
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/uio.h>

/// From now on each signal of a number, in whichever thread it arrives, is one byte in a pipe. Dispatch's
/// signal sources hand signals on from thread to thread, and lose one at times where the machine is busy.
int yonder_forward_signal(int number, int pipe);

/// Lets the processor fetch what will be written to soon; without it each of a thousand connections
/// waits for memory in its turn.
static inline void yonder_prefetch(const void *address) { __builtin_prefetch(address, 1); }
