// The least that an HTTP write costs with libmicrohttpd in C: the body is read and dropped, the answer is
// always the same. No rules, no store.
//
//   IngestRival PORT
#include <microhttpd.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

static struct MHD_Response *response;

static enum MHD_Result answer(
    void *nothing, struct MHD_Connection *connection, const char *url, const char *method,
    const char *version, const char *body, size_t *size, void **request) {
    (void)nothing, (void)url, (void)method, (void)version, (void)body;
    if (!*request) {
        *request = response;
        return MHD_YES;
    }
    if (*size) {
        *size = 0;
        return MHD_YES;
    }
    return MHD_queue_response(connection, MHD_HTTP_OK, response);
}

int main(int count, char **arguments) {
    if (count != 2) return 64;
    signal(SIGPIPE, SIG_IGN);
    struct rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
    static char text[] = "{\"applied\":[\"s0\"],\"skipped\":[]}";
    response = MHD_create_response_from_buffer(sizeof text - 1, text, MHD_RESPMEM_PERSISTENT);
    MHD_add_response_header(response, "Content-Type", "application/json");
    struct MHD_Daemon *daemon = MHD_start_daemon(
        MHD_USE_EPOLL_INTERNAL_THREAD, (uint16_t)atoi(arguments[1]), NULL, NULL, answer, NULL,
        MHD_OPTION_THREAD_POOL_SIZE, (unsigned int)sysconf(_SC_NPROCESSORS_ONLN), MHD_OPTION_END);
    if (!daemon) return 1;
    for (;;) pause();
}
