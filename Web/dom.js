// Making and changing elements. Text goes in as text only; nothing here parses HTML.

/** h("button", { class: "x", "aria-label": "y", on: { click } }, child, "text", …) */
export function h(tag, attributes = {}, ...children) {
    const node = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
        if (name === "on") for (const [event, handler] of Object.entries(value)) node.addEventListener(event, handler);
        else if (value === true) node.setAttribute(name, "");
        else if (value !== false && value !== undefined) node.setAttribute(name, value);
    }
    node.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
    return node;
}

export function setText(node, text) {
    if (node.textContent !== text) node.textContent = text;
}

export function setHidden(node, isHidden) {
    if (node.hidden !== isHidden) node.hidden = isHidden;
}

export function setData(node, name, value) {
    if (node.dataset[name] !== value) node.dataset[name] = value;
}

/** Makes the children of `parent` those of `keys` in that order, reusing the element of each key. */
export function syncChildren(parent, elements, keys, make) {
    const wanted = new Set(keys);
    for (const [key, node] of elements) {
        if (wanted.has(key)) continue;
        node.remove();
        elements.delete(key);
    }
    let cursor = parent.firstElementChild;
    for (const key of keys) {
        let node = elements.get(key);
        if (!node) elements.set(key, (node = make(key)));
        if (node === cursor) cursor = cursor.nextElementSibling;
        else parent.insertBefore(node, cursor);
    }
}
