#pragma once
// sd-bus, the D-Bus of libsystemd. Its calls take any number of arguments, which Swift cannot call.
#include <systemd/sd-bus.h>

/// Calls a method without arguments.
static inline int yonder_bus_call(
    sd_bus *bus, const char *service, const char *path, const char *interface, const char *method,
    sd_bus_error *error, sd_bus_message **reply) {
    return sd_bus_call_method(bus, service, path, interface, method, error, reply, NULL);
}

/// Asks the bus for the signals that a rule matches.
static inline int yonder_bus_match(sd_bus *bus, const char *rule) {
    return sd_bus_call_method(
        bus, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "AddMatch", NULL, NULL,
        "s", rule);
}

static inline int yonder_bus_read_path(sd_bus_message *message, const char **path) {
    return sd_bus_message_read(message, "o", path);
}

static inline int yonder_bus_read_paths(sd_bus_message *message, const char **first, const char **second) {
    return sd_bus_message_read(message, "oo", first, second);
}

static inline int yonder_bus_set_text(
    sd_bus *bus, const char *service, const char *path, const char *interface, const char *member,
    const char *text) {
    return sd_bus_set_property(bus, service, path, interface, member, NULL, "s", text);
}

static inline int yonder_bus_set_number(
    sd_bus *bus, const char *service, const char *path, const char *interface, const char *member,
    uint32_t number) {
    return sd_bus_set_property(bus, service, path, interface, member, NULL, "u", number);
}

static inline int yonder_bus_get_number(
    sd_bus *bus, const char *service, const char *path, const char *interface, const char *member,
    double *number) {
    return sd_bus_get_property_trivial(bus, service, path, interface, member, NULL, 'd', number);
}

static inline int yonder_bus_get_flag(
    sd_bus *bus, const char *service, const char *path, const char *interface, const char *member, int *flag) {
    return sd_bus_get_property_trivial(bus, service, path, interface, member, NULL, 'b', flag);
}

/// A pair of seconds and microseconds.
static inline int yonder_bus_get_time(
    sd_bus *bus, const char *service, const char *path, const char *interface, const char *member,
    uint64_t *seconds, uint64_t *microseconds) {
    sd_bus_message *reply = NULL;
    int status = sd_bus_get_property(bus, service, path, interface, member, NULL, &reply, "(tt)");
    if (status >= 0) status = sd_bus_message_read(reply, "(tt)", seconds, microseconds);
    sd_bus_message_unref(reply);
    return status;
}
