// A person's disc: photo or initials on a colour that follows from the id.
import { h } from "./dom.js";

/** Twelve colours, each at least 4.5 : 1 against white. */
export const avatarColors = [
    "#b3372f", "#a8500f", "#7d5e00", "#4f6d12", "#1d7440", "#0f7373", "#0f6a9c", "#2f5fc4", "#5b4fc7", "#8a40b5", "#ad3386",
    "#5f6673",
];

/** The same id gives the same colour everywhere (FNV-1a over its UTF-16 units). */
export function colorOf(userId) {
    let hash = 0x811c9dc5;
    for (let i = 0; i < userId.length; i++) hash = Math.imul(hash ^ userId.charCodeAt(i), 0x01000193) >>> 0;
    return avatarColors[hash % avatarColors.length];
}

/** First letters of the first and last word; a lone word gives its first two letters. Whole graphemes, not units. */
export function initials(name) {
    const parts = name.trim().split(/\s+/u).filter(Boolean);
    if (parts.length === 0) return "?";
    const letters = (text) => [...new Intl.Segmenter().segment(text)].map((part) => part.segment);
    if (parts.length === 1) return letters(parts[0]).slice(0, 2).join("");
    return (letters(parts[0])[0] + letters(parts.at(-1))[0]).toUpperCase();
}

export function avatar(user, className = "avatar") {
    const node = h("span", { class: className, "aria-hidden": "true" });
    dressAvatar(node, user);
    return node;
}

export function dressAvatar(node, user) {
    const look = `${user.image ?? ""}|${user.name}|${user.id}`;
    if (node.look === look) return;
    node.look = look;
    node.style.backgroundColor = colorOf(user.id);
    // Only what the protocol allows: never a foreign address, so that looking at a pin tells nobody.
    if (/^data:image\/(png|jpeg|webp);/.test(user.image ?? "")) {
        node.replaceChildren(h("img", { src: user.image, alt: "" }));
    } else {
        node.replaceChildren(initials(user.name));
    }
}
