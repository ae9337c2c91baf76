#pragma once
// Headers that the Glibc module leaves out.
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/uio.h>
