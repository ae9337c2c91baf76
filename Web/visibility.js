/** Calls `call` once when `node` first comes near the visible part of the page. */
export function makeOnVisible() {
    const calls = new WeakMap();
    const observer = new IntersectionObserver((entries) => entries.forEach(({ isIntersecting, target }) => {
        if (!isIntersecting) return;
        observer.unobserve(target);
        calls.get(target)?.();
        calls.delete(target);
    }), { rootMargin: "200px" });
    return (node, call) => {
        calls.set(node, call);
        observer.observe(node);
    };
}
