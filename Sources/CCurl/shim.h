#pragma once
#include <curl/curl.h>

// curl_easy_setopt and curl_easy_getinfo are variadic, which Swift does not import: one function a type.
static inline CURLcode CCurl_setLong(CURL *easy, CURLoption option, long value) {
    return curl_easy_setopt(easy, option, value);
}
static inline CURLcode CCurl_setSize(CURL *easy, CURLoption option, curl_off_t value) {
    return curl_easy_setopt(easy, option, value);
}
static inline CURLcode CCurl_setPointer(CURL *easy, CURLoption option, const void *value) {
    return curl_easy_setopt(easy, option, value);
}
typedef size_t (*CCurl_sink)(char *bytes, size_t size, size_t count, void *user);
static inline CURLcode CCurl_setSink(CURL *easy, CURLoption option, CCurl_sink sink) {
    return curl_easy_setopt(easy, option, sink);
}
static inline CURLcode CCurl_getLong(CURL *easy, CURLINFO info, long *value) {
    return curl_easy_getinfo(easy, info, value);
}
static inline CURLcode CCurl_getSocket(CURL *easy, curl_socket_t *value) {
    return curl_easy_getinfo(easy, CURLINFO_ACTIVESOCKET, value);
}
