// Line icons on a 24 grid, drawn for this page. Decorative: the control that holds one carries the name.
const shapes = {
    back: ["M15 5l-7 7 7 7"],
    close: ["M6 6l12 12M18 6L6 18"],
    menu: ["M4 7h16M4 12h16M4 17h16"],
    plus: ["M12 5v14M5 12h14"],
    send: ["M4.5 12L20 4.5 15.5 20l-3.6-6.4z", "M11.9 13.6L20 4.5"],
    pin: ["M12 21s-6.5-6-6.5-11a6.5 6.5 0 0113 0c0 5-6.5 11-6.5 11z", "M12 12.2a2.2 2.2 0 100-4.4 2.2 2.2 0 000 4.4z"],
    live: ["M12 13.6a1.6 1.6 0 100-3.2 1.6 1.6 0 000 3.2z", "M8.1 15.9a5.5 5.5 0 010-7.8M15.9 8.1a5.5 5.5 0 010 7.8",
        "M5.3 18.7a9.5 9.5 0 010-13.4M18.7 5.3a9.5 9.5 0 010 13.4"],
    arrow: ["M4.5 11L20 4l-7 15.5-1.8-6.7z"],
    // The arrow of maps: outlined, filled (by the style sheet), with a north mark, struck through.
    locate: ["M4.5 11L20 4l-7 15.5-1.8-6.7z"],
    following: ["M4.5 11L20 4l-7 15.5-1.8-6.7z"],
    turning: ["M12 8.5l5.5 12.5-5.5-3.2L6.5 21z", "M10.2 5.8V1.8l3.6 4v-4"],
    unlocated: ["M8.6 9.2L20 4l-5.2 11.4M13.4 18.6L13 19.5l-1.8-6.7L4.5 11l1.4-.6", "M4 4l16 16"],
    waiting: ["M12 4a8 8 0 108 8"],
    north: ["M12 3l3.6 9H8.4z", "M12 21l3.6-9H8.4z"],
    group: ["M9 11.5a3.2 3.2 0 100-6.4 3.2 3.2 0 000 6.4zM3 19c.5-3.2 2.9-5 6-5s5.5 1.8 6 5",
        "M16 5.4a3 3 0 010 5.8M17.5 14.3c2 .6 3.2 2.2 3.5 4.7"],
    invite: ["M10 11.5a3.4 3.4 0 100-6.8 3.4 3.4 0 000 6.8zM3.5 19.5c.5-3.4 3-5.4 6.5-5.4 1.5 0 2.8.4 3.8 1", "M18 14v6M15 17h6"],
    link: ["M10 14a4 4 0 005.7 0l3-3A4 4 0 0013 5.3l-1.3 1.3", "M14 10a4 4 0 00-5.7 0l-3 3A4 4 0 0011 18.7l1.3-1.3"],
    map: ["M9 5L3.5 7v12L9 17l6 2 5.5-2V5L15 7z", "M9 5v12M15 7v12"],
    clock: ["M12 4a8 8 0 100 16 8 8 0 000-16z", "M12 8v4.3l2.8 1.7"],
    check: ["M5 12.5l4.5 4.5L19 7.5"],
    down: ["M6 9l6 6 6-6"],
};

export function icon(name) {
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    svg.setAttribute("viewBox", "0 0 24 24");
    svg.setAttribute("class", `icon icon-${name}`);
    svg.setAttribute("aria-hidden", "true");
    for (const d of shapes[name]) {
        const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
        path.setAttribute("d", d);
        svg.append(path);
    }
    return svg;
}
