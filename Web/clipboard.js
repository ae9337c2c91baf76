/** Copies a text. Browsers refuse on an insecure address, and some when the tap is too long ago. */
export async function isCopied(text) {
    try {
        await navigator.clipboard.writeText(text);
        return true;
    } catch {
        return false;
    }
}
