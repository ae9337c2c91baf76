/** 128 random bits as 22 characters of [A-Za-z0-9_-]: fit for messages and devices. */
export function randomId(bytes = crypto.getRandomValues(new Uint8Array(16))) {
    return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}
