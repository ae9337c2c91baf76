#include "CYonderShims.h"

#include <errno.h>
#include <signal.h>
#include <unistd.h>

static volatile sig_atomic_t yonder_signal_pipe = -1;

static void yonder_write_signal(int number) {
    int before = errno;
    unsigned char byte = (unsigned char)number;
    (void)!write(yonder_signal_pipe, &byte, 1);
    errno = before;
}

int yonder_forward_signal(int number, int pipe) {
    struct sigaction action = {.sa_handler = yonder_write_signal, .sa_flags = SA_RESTART};
    yonder_signal_pipe = pipe;
    sigemptyset(&action.sa_mask);
    return sigaction(number, &action, NULL);
}
