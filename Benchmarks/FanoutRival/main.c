// The least that the same fan-out costs in C: one thread, one epoll set, no rules, no store.
//
//   FanoutRival TICK_MS SHARES HERTZ
//
// Makes positions of SHARES sharers, each HERTZ times a second, and sends them to every WebSocket.
// TICK_MS 0: each position in a send of its own. Above 0: the newest of each share, gathered for
// that long. A viewer whose socket is full gets what is then newest once it has room again.
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

enum { FRAME_BYTES = 512, HEAD_BYTES = 2048 };

struct share {
    char frame[FRAME_BYTES];
    int length;
    uint64_t number;
};

struct viewer {
    int socket;
    int upgraded;
    char head[HEAD_BYTES];
    int head_length;
    char *rest; // of what the kernel did not take
    int rest_length, rest_sent;
    uint64_t had; // number of the newest position that it was sent
};

static int epoll, tick_ms, share_count;
static double hertz;
static struct share *shares;
static struct viewer **viewers;
static int viewer_count, viewer_room;
static uint64_t newest, flushed;
static char *batch;

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

static void move(int index) {
    struct share *share = &shares[index];
    char *text = share->frame + 4;
    int length = snprintf(
        text, FRAME_BYTES - 4,
        "{\"event\":\"location.updated\",\"channel_id\":\"team:bench\",\"message_id\":\"share-%d\","
        "\"user_id\":\"sharer-%d\",\"latitude\":%.6f,\"longitude\":%.6f,\"accuracy\":5.0,"
        "\"heading\":%.1f,\"speed\":%.2f,\"altitude\":%.3f,\"recorded_at\":\"2026-01-01T00:00:00.000Z\"}",
        index, index, 60 + drand48() / 10, 25 + drand48() / 10, drand48() * 359, drand48() * 9, now_ms());
    share->frame[0] = (char)0x81;
    share->frame[1] = 126;
    share->frame[2] = (char)(length >> 8);
    share->frame[3] = (char)length;
    share->length = length + 4;
    share->number = ++newest;
    if (tick_ms == 0) flush();
}

static void take_input(struct viewer *viewer) {
    char *end = viewer->head + viewer->head_length;
    ssize_t count = recv(viewer->socket, end, HEAD_BYTES - 1 - viewer->head_length, MSG_DONTWAIT);
    if (count == 0 || (count < 0 && errno != EAGAIN)) exit(0); // the crowd leaves as one
    if (count < 0 || viewer->upgraded) return;
    viewer->head_length += (int)count;
    viewer->head[viewer->head_length] = 0;
    if (!strstr(viewer->head, "\r\n\r\n")) return;
    static const char answer[] =
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n";
    give(viewer, answer, sizeof answer - 1);
    viewer->upgraded = 1;
    viewer->head_length = 0;
    viewer->had = flushed;
    if (viewer_count == viewer_room) {
        viewer_room = viewer_room * 2 + 1024;
        viewers = realloc(viewers, viewer_room * sizeof *viewers);
    }
    viewers[viewer_count++] = viewer;
}

static void take_viewers(int listener) {
    int socket, one = 1, unsent = 8192;
    while ((socket = accept4(listener, NULL, NULL, SOCK_NONBLOCK)) >= 0) {
        setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
        setsockopt(socket, IPPROTO_TCP, TCP_NOTSENT_LOWAT, &unsent, sizeof unsent);
        struct viewer *viewer = calloc(1, sizeof *viewer);
        viewer->socket = socket;
        struct epoll_event event = {.events = EPOLLIN, .data.ptr = viewer};
        epoll_ctl(epoll, EPOLL_CTL_ADD, socket, &event);
    }
}

static int listen_somewhere(void) {
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    if (bind(listener, (void *)&address, length) || listen(listener, 4096)) exit(1);
    getsockname(listener, (void *)&address, &length);
    printf("port %d\n", ntohs(address.sin_port));
    fflush(stdout);
    return listener;
}

int main(int count, char **arguments) {
    if (count != 4) return 64;
    tick_ms = atoi(arguments[1]);
    share_count = atoi(arguments[2]);
    hertz = atof(arguments[3]);
    srand48(1);
    signal(SIGPIPE, SIG_IGN);
    struct rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
    shares = calloc(share_count, sizeof *shares);
    batch = malloc((size_t)share_count * FRAME_BYTES);
    int listener = listen_somewhere();
    epoll = epoll_create1(0);
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = NULL}, events[512];
    epoll_ctl(epoll, EPOLL_CTL_ADD, listener, &event);

    double start = now_ms(), last_flush = start, between = 1e3 / (share_count * hertz);
    uint64_t made = 0;
    for (;;) {
        int ready = epoll_wait(epoll, events, 512, 1);
        for (int index = 0; index < ready; index++) {
            struct viewer *viewer = events[index].data.ptr;
            if (!viewer) {
                take_viewers(listener);
                continue;
            }
            if (events[index].events & EPOLLOUT && viewer->rest) drain(viewer);
            if (events[index].events & ~EPOLLOUT) take_input(viewer);
        }
        double time = now_ms();
        for (; start + made * between <= time; made++) move((int)(made % share_count));
        if (tick_ms > 0 && time - last_flush >= tick_ms) {
            last_flush = time;
            flush();
        }
    }
}
