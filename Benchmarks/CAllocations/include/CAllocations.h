// Counts what a program allocates. glibc alone; elsewhere it counts nothing.
#pragma once
#include <stdint.h>

/// Allocations since the start.
uint64_t CAllocations_count(void);
