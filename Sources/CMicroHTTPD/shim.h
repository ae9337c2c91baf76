#pragma once
#include <microhttpd.h>
#include <sys/socket.h>

/* Variadic, so Swift cannot call it: MHD_start_daemon. The daemon owns `listener` from success on. */
static inline struct MHD_Daemon *CMicroHTTPD_start(
    unsigned int flags, MHD_socket listener, MHD_AccessHandlerCallback access,
    MHD_RequestCompletedCallback completed,
    size_t (*unescape)(void *, struct MHD_Connection *, char *), void *server,
    unsigned int threads, unsigned int connections, unsigned int idle_seconds, size_t connection_memory)
{
    return MHD_start_daemon(
        flags, 0, NULL, NULL, access, server,
        MHD_OPTION_LISTEN_SOCKET, listener,
        MHD_OPTION_NOTIFY_COMPLETED, completed, server,
        MHD_OPTION_UNESCAPE_CALLBACK, unescape, server,
        MHD_OPTION_THREAD_POOL_SIZE, threads,
        MHD_OPTION_CONNECTION_LIMIT, connections,
        MHD_OPTION_CONNECTION_TIMEOUT, idle_seconds,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, connection_memory,
        MHD_OPTION_STRICT_FOR_CLIENT, 1,
        MHD_OPTION_END);
}

/* Variadic: MHD_get_connection_info. NULL where the address is unknown. */
static inline const struct sockaddr *CMicroHTTPD_peer(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    return info ? info->client_addr : NULL;
}

/* Variadic: MHD_get_daemon_info. */
static inline unsigned int CMicroHTTPD_connection_count(struct MHD_Daemon *daemon)
{
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_CURRENT_CONNECTIONS);
    return info ? info->num_connections : 0;
}

/* Variadic: MHD_upgrade_action. MHD closes its descriptor; ours is a duplicate. */
static inline void CMicroHTTPD_upgrade_close(struct MHD_UpgradeResponseHandle *handle)
{
    MHD_upgrade_action(handle, MHD_UPGRADE_ACTION_CLOSE);
}
