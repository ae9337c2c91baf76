// The least that the same fan-out costs in C: one thread, one epoll set, no rules, no store.
//
//   FanoutRival PORT [TICK_MS]
//
// A WebSocket asked for at /pub is a sharer: its texts go to every WebSocket at another address.
// Without TICK_MS each in a send of its own. With it: the newest of each share, told apart by
// "message_id":"s<number>" with a number below 4096, gathered for that long. A viewer whose socket is
// full gets what is then newest once it has room again.
#define _GNU_SOURCE
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { SHARES = 4096, FRAME_BYTES = 1024, INPUT_BYTES = 65536 };

struct share {
    char frame[FRAME_BYTES];
    int length;
    uint64_t number;
};

struct viewer {
    int socket;
    int upgraded;
    int is_sharer;
    char *input; // half a request or half a frame
    int input_length;
    char *rest; // of what the kernel did not take
    int rest_length, rest_sent;
    uint64_t had; // number of the newest position that it was sent
};

static int epoll, tick_ms, share_count;
static struct share shares[SHARES];
static struct viewer **viewers;
static int viewer_count, viewer_room;
static uint64_t newest, flushed;
static char batch[SHARES * FRAME_BYTES];

static double now_ms(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1e3 + time.tv_nsec / 1e6;
}

static void watch(struct viewer *viewer, int for_output) {
    struct epoll_event event = {.events = EPOLLIN | (for_output ? EPOLLOUT : 0), .data.ptr = viewer};
    epoll_ctl(epoll, EPOLL_CTL_MOD, viewer->socket, &event);
}

static void give(struct viewer *viewer, const char *bytes, int length) {
    ssize_t sent = send(viewer->socket, bytes, length, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (sent < 0) sent = 0;
    if (sent == length) return;
    viewer->rest_length = length - (int)sent;
    viewer->rest_sent = 0;
    viewer->rest = malloc(viewer->rest_length);
    memcpy(viewer->rest, bytes + sent, viewer->rest_length);
    watch(viewer, 1);
}

// The newest of every share that moved after a number.
static int gather(uint64_t after) {
    int length = 0;
    for (int index = 0; index < share_count; index++) {
        if (shares[index].number <= after) continue;
        memcpy(batch + length, shares[index].frame, shares[index].length);
        length += shares[index].length;
    }
    return length;
}

static void catch_up(struct viewer *viewer) {
    if (viewer->rest || viewer->had >= flushed) return;
    int length = gather(viewer->had);
    viewer->had = newest;
    if (length > 0) give(viewer, batch, length);
}

static void flush(void) {
    if (newest == flushed) return;
    uint64_t before = flushed;
    int length = gather(before);
    flushed = newest;
    int late = 0;
    for (int index = 0; index < viewer_count; index++) {
        struct viewer *viewer = viewers[index];
        if (viewer->rest) continue;
        if (viewer->had < before) {
            late++;
            continue;
        }
        viewer->had = newest;
        give(viewer, batch, length);
    }
    for (int index = 0; late > 0 && index < viewer_count; index++) catch_up(viewers[index]);
}

static void drain(struct viewer *viewer) {
    int left = viewer->rest_length - viewer->rest_sent;
    ssize_t sent = send(viewer->socket, viewer->rest + viewer->rest_sent, left, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (sent > 0) viewer->rest_sent += (int)sent;
    if (viewer->rest_sent < viewer->rest_length) return;
    free(viewer->rest);
    viewer->rest = NULL;
    watch(viewer, 0);
    catch_up(viewer);
}

// A sharer's text: the newest of its share.
static void take_text(const char *text, int length) {
    static const char key[] = "\"message_id\":\"s";
    if (length > FRAME_BYTES - 4) return;
    const char *found = memmem(text, length, key, sizeof key - 1);
    int index = found ? atoi(found + sizeof key - 1) : 0;
    if (index < 0 || index >= SHARES) return;
    if (index >= share_count) share_count = index + 1;
    struct share *share = &shares[index];
    int head = length < 126 ? 2 : 4;
    share->frame[0] = (char)0x81;
    share->frame[1] = length < 126 ? (char)length : 126;
    if (head == 4) {
        share->frame[2] = (char)(length >> 8);
        share->frame[3] = (char)length;
    }
    memcpy(share->frame + head, text, length);
    share->length = head + length;
    share->number = ++newest;
    if (tick_ms == 0) flush();
}

static void upgrade(struct viewer *viewer) {
    static const char answer[] =
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n";
    viewer->is_sharer = !strncmp(viewer->input, "GET /pub ", 9);
    viewer->upgraded = 1;
    give(viewer, answer, sizeof answer - 1);
    if (viewer->is_sharer) return;
    int unsent = 8192;
    setsockopt(viewer->socket, IPPROTO_TCP, TCP_NOTSENT_LOWAT, &unsent, sizeof unsent);
    viewer->had = flushed;
    if (viewer_count == viewer_room) {
        viewer_room = viewer_room * 2 + 1024;
        viewers = realloc(viewers, viewer_room * sizeof *viewers);
    }
    viewers[viewer_count++] = viewer;
}

// Takes the whole frames off the front of what a connection sent; returns their length.
static int take_frames(char *bytes, int count) {
    int taken = 0;
    while (count - taken >= 6) {
        uint8_t *head = (uint8_t *)bytes + taken;
        int length = head[1] & 127, head_length = 2;
        if (length == 126) {
            length = head[2] << 8 | head[3];
            head_length = 4;
        }
        if (count - taken < head_length + 4 + length) break;
        uint8_t *mask = head + head_length;
        char *text = (char *)mask + 4;
        if (mask[0] | mask[1] | mask[2] | mask[3])
            for (int index = 0; index < length; index++) text[index] ^= mask[index & 3];
        if ((head[0] & 15) == 1) take_text(text, length);
        taken += head_length + 4 + length;
    }
    return taken;
}

static void leave(struct viewer *viewer) {
    if (viewer->upgraded && !viewer->is_sharer) exit(0); // the crowd leaves as one
    close(viewer->socket);
    free(viewer->input);
    free(viewer);
}

static void take_input(struct viewer *viewer) {
    static char bytes[INPUT_BYTES];
    ssize_t count = recv(viewer->socket, bytes, sizeof bytes, MSG_DONTWAIT);
    if (count < 0 && errno == EAGAIN) return;
    if (count <= 0) return leave(viewer);
    viewer->input = realloc(viewer->input, viewer->input_length + count + 1);
    memcpy(viewer->input + viewer->input_length, bytes, count);
    viewer->input_length += (int)count;
    viewer->input[viewer->input_length] = 0;
    if (!viewer->upgraded) {
        char *end = strstr(viewer->input, "\r\n\r\n");
        if (!end) return;
        upgrade(viewer);
        viewer->input_length -= (int)(end + 4 - viewer->input);
        memmove(viewer->input, end + 4, viewer->input_length);
    }
    int taken = take_frames(viewer->input, viewer->input_length);
    viewer->input_length -= taken;
    memmove(viewer->input, viewer->input + taken, viewer->input_length);
    if (viewer->input_length > 0) return;
    free(viewer->input);
    viewer->input = NULL;
}

static void take_viewers(int listener) {
    int socket, one = 1;
    while ((socket = accept4(listener, NULL, NULL, SOCK_NONBLOCK)) >= 0) {
        setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
        struct viewer *viewer = calloc(1, sizeof *viewer);
        viewer->socket = socket;
        struct epoll_event event = {.events = EPOLLIN, .data.ptr = viewer};
        epoll_ctl(epoll, EPOLL_CTL_ADD, socket, &event);
    }
}

static int listen_at(int port) {
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0), one = 1;
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    if (bind(listener, (void *)&address, sizeof address) || listen(listener, 4096)) exit(1);
    return listener;
}

int main(int count, char **arguments) {
    if (count < 2) return 64;
    tick_ms = count > 2 ? atoi(arguments[2]) : 0;
    signal(SIGPIPE, SIG_IGN);
    struct rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
    int listener = listen_at(atoi(arguments[1]));
    epoll = epoll_create1(0);
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = NULL}, events[512];
    epoll_ctl(epoll, EPOLL_CTL_ADD, listener, &event);

    double due = now_ms();
    for (;;) {
        int wait = -1;
        if (tick_ms > 0 && newest != flushed) {
            double time = now_ms();
            if (time >= due) {
                flush();
                due = time + tick_ms;
            } else {
                wait = (int)(due - time) + 1;
            }
        }
        int ready = epoll_wait(epoll, events, 512, wait);
        for (int index = 0; index < ready; index++) {
            struct viewer *viewer = events[index].data.ptr;
            if (!viewer) {
                take_viewers(listener);
                continue;
            }
            if (events[index].events & EPOLLOUT && viewer->rest) drain(viewer);
            if (events[index].events & ~EPOLLOUT) take_input(viewer);
        }
    }
}
