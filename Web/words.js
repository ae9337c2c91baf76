// Every sentence the page can say. Functions take plain values, so that they can be tested without a page.

export const words = {
    appName: "Yonder",
    noToken: "Open the link you were sent",
    noTokenMore: "This page opens with a personal link. Ask the person who runs this server for yours.",
    expired: "This link has expired",
    invalid: "This link is not valid",
    expiredMore: "Ask for a new one and open it here.",
    invited: "You are invited",
    invitedMore: "Others in the chat will see your name. They see where you are only while you share it.",
    yourName: "Your name",
    join: "Join",
    /** Followed by the name. */
    joinAs: "Join as",
    joining: "Joining…",
    inviteOver: "This invite is over",
    inviteOverMore: "It was used up, taken back, or its time has passed. Ask for a new one.",
    loggingIn: "Coming in…",
    loginUsed: "This link was used, or is too old",
    loginUsedMore: "It works once, for ten minutes. Make a new one on your other device and open it here.",
    loginFailed: "You are not in yet",
    linkOver: "This link shows nothing any more",
    linkOverMore: "The share is over, or whoever made the link took it back.",
    noEngine: "The page did not load",
    noEngineMore: "A part of it is missing: the connection broke off, or something blocks it. Try again in a moment.",
    noEngineEver: "This browser cannot run WebAssembly, which the map needs: it is too old, or that is turned off. "
        + "Open the link in another browser, or update this one.",
    linkPartMissing: "A part of this link is missing",
    linkPartMissingMore: "Open the whole link that you were sent.",
    showPlace: "Show the place",
    myChats: "Open my chats",
    stillVisible: "You are still visible:",
    stillVisibleMore: "To stop earlier, open a new link here and tap Stop.",
    chatGone: "You are not in this chat, or it is gone. Here are your chats.",
    channels: "Chats",
    noChannels: "No chats yet",
    noChannelsMore: "When somebody adds you to a chat, it appears here.",
    pickChannel: "Choose a chat",
    noMessages: "No messages yet",
    loading: "Loading…",
    loadEarlier: "Load earlier messages",
    newMessages: "New messages",
    messagePlaceholder: "Message…",
    send: "Send",
    sending: "Sending…",
    sent: "Sent",
    notSent: "Not sent.",
    triedAgain: "It will be tried again.",
    cancelled: "Cancelled. Nothing is shared.",
    edited: "edited",
    tryAgain: "Try again",
    discard: "Discard",
    tooLong: "This is too long: 20,000 characters at most.",
    shareLocation: "Share location",
    sharingDisabled: "Location sharing is off in this chat.",
    cannotWrite: "You cannot write in this chat.",
    sendCurrent: "Send Current Location",
    sendCurrentMore: "Share your current location once",
    shareLive: "Share Live Location",
    shareLiveMore: "Share your location in real-time",
    sendApproximate: "Approximate (about 1 km)",
    sendApproximateMore: "Others see an area, not the place",
    updatedBy: "Updated by",
    byThisBrowser: "This browser",
    anotherDevice: "another device",
    fedByMore: "Begins where this browser is now.",
    connectApp: "Connect a phone app…",
    connectTitle: "Connect a phone app",
    connectMore: "A tracking app on your phone can move your live location, also while this page is closed.",
    app: "App",
    deviceName: "Name of the device",
    connect: "Connect",
    connecting: "Connecting…",
    keyOnce: "The key is shown only now. Whoever has it can send positions as this device.",
    onThePhone: "On the phone itself:",
    oneTap: "Set up in one tap",
    encryptAsWell: "Encrypt as well",
    done: "Done",
    yourDevices: "Your devices",
    disconnect: "Disconnect",
    disconnected: "Disconnected",
    copy: "Copy",
    valueByHand: "Select it and copy it.",
    shareLink: "Share a link…",
    shareLinkTitle: "Share a link",
    shareLinkMore: "Whoever has the link sees this share until it ends, without an account.",
    invite: "Invite…",
    inviteTitle: "Invite somebody",
    inviteMore: "The link lets one person join this chat, within 7 days.",
    link: "Link",
    copyLink: "Copy link",
    copyAgain: "Copy again",
    makingLink: "Making a link…",
    copied: "Copied. It is shown only this once.",
    copyByHand: "Select the link and copy it. It is shown only this once.",
    close: "Close",
    back: "Back",
    menu: "Chats",
    chat: "Chat",
    messages: "Messages",
    map: "Map and people",
    noMap: "No map here",
    noMapMore: "This browser cannot draw it (WebGL is off or missing). Everything else works.",
    stop: "Stop",
    stopAll: "Stop All",
    location: "Location",
    liveLocation: "Live Location",
    ended: "Live location ended",
    erased: "Location no longer kept",
    deleted: "Message deleted",
    approximate: "Approximate, about 1 km",
    near: "near",
    waitingForGps: "Waiting for GPS…",
    locationOff: "Location is off for this site. Open the site's settings (lock icon) and allow Location.",
    locationInsecure: "Location works only on a secure (https) address.",
    locationUnsupported: "This browser has no location.",
    paused: "Sharing paused",
    stopping: "Stopping…",
    stoppingLater: "No connection: it stops as soon as there is one. Your position no longer goes out.",
    everybody: "Everybody",
    people: "People on the map",
    endedHeading: "Ended",
    nobodyLive: "Nobody shares a live location here",
    nobodyLiveMore: "Tap + in the chat to share yours.",
    you: "You",
    locateMe: "Show where I am",
    whereIAm: "Your position",
    northUp: "North up",
    locationLost: "Your position is not known here. It is shown as soon as it is.",
    locationSilent: "No answer about your position. It is asked for again.",
    openMap: "Open the map",
    zoomToAll: "Show everybody",
    online: "Connected",
    reconnecting: "Reconnecting…",
    thisBrowser: "Web browser",
    rateLimited: "Too fast. Wait a moment and try again.",
    serverTrouble: "The server has a problem. Try again in a moment.",
    unreachable: "No connection to the server.",
    notAccepted: "The server did not accept this.",
    gone: "This is no longer here.",
    refused: "This is not allowed here.",
};

/** Where each phone app is told of this server. */
export const appPlaces = {
    owntracks: "In the app's settings, under Connection, enter:",
    overland: "In the app's settings enter:",
    traccar: "In the app's settings enter:",
    osmand: "Turn on the plugin Trip recording. In its settings, under Online tracking, enter:",
    gpslogger: "Under Logging details turn on Log to custom URL. There, enter:",
};

/** What phone apps call the things that they are told. */
export const appFields = {
    mode: "Mode",
    url: "URL",
    userName: "User name",
    password: "Password",
    encryptionKey: "Encryption key (optional)",
    endpoint: "Receiver endpoint",
    token: "Access token",
    deviceId: "Device ID",
    serverUrl: "Server URL",
    identifier: "Device identifier",
    webAddress: "Web address",
};

/** Durations that the picker offers, in seconds. */
export const durations = [
    { seconds: 60, label: "1 minute" },
    { seconds: 600, label: "10 minutes" },
    { seconds: 3600, label: "1 hour" },
    { seconds: 28800, label: "8 hours" },
];

// Making a formatter costs a thousand times what using one does.
const formatters = new Map();

function dateFormat(locale, options) {
    const key = JSON.stringify([locale, options]);
    if (!formatters.has(key)) formatters.set(key, new Intl.DateTimeFormat(locale, options));
    return formatters.get(key);
}

/** Clock time of an instant, in the reader's own zone and habit (14:32 or 2:32 PM). */
export function clockWords(millis, locale, timeZone) {
    return dateFormat(locale, { timeStyle: "short", timeZone }).format(millis);
}

export function untilWords(millis, locale, timeZone) {
    return `Live until ${clockWords(millis, locale, timeZone)}`;
}

/** "5 s ago", "40 s ago", "5 min ago", then the clock time. */
export function agoWords(thenMillis, nowMillis, locale, timeZone) {
    const seconds = Math.max(0, Math.floor((nowMillis - thenMillis) / 1000));
    if (seconds < 1) return "now";
    if (seconds < 60) return `${seconds} s ago`;
    if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`;
    return `at ${clockWords(thenMillis, locale, timeZone)}`;
}

/** Age in the shortest form, for the people list: "5 s", "9 min", then the clock time. */
export function ageWords(thenMillis, nowMillis, locale, timeZone) {
    return agoWords(thenMillis, nowMillis, locale, timeZone).replace(/ ago$|^at /, "");
}

/** Time left: "45 s" below a minute, "43 min" below two hours, then "7 h 20 min". Rounded up: never "0". */
export function remainingWords(millis) {
    const seconds = Math.max(0, Math.ceil(millis / 1000));
    if (seconds < 60) return `${seconds} s`;
    const minutes = Math.ceil(seconds / 60);
    if (minutes < 120) return `${minutes} min`;
    const rest = minutes % 60;
    return rest ? `${Math.floor(minutes / 60)} h ${rest} min` : `${minutes / 60} h`;
}

// Britain has miles on its roads but metres under its feet, so it is not among them.
const imperialRegions = new Set(["US", "LR"]);

/** Whether people of this locale measure ways in feet and miles. */
export function usesMiles(locale) {
    try {
        return imperialRegions.has(new Intl.Locale(locale).maximize().region);
    } catch {
        return false;
    }
}

/** Metres below 1 km, one decimal below 10 km, whole km after; feet and miles likewise. */
export function distanceWords(meters, miles = false) {
    const small = miles ? meters / 0.3048 : meters;
    if (small < 999.5) return `${Math.round(small)} ${miles ? "ft" : "m"}`;
    const large = miles ? meters / 1609.344 : meters / 1000;
    return `${large < 9.95 ? large.toFixed(1) : Math.round(large)} ${miles ? "mi" : "km"}`;
}

/** With a space that no line breaks at. */
export function accuracyWords(meters, miles = false) {
    return meters > 0 ? `±${distanceWords(Math.max(1, meters), miles).replace(" ", "\u00a0")}` : "";
}

/** A way to somebody of whom only about where they are is known. */
export const aboutWords = (distance) => `about ${distance}`;

export function sharingWords(parts) {
    return parts.filter(Boolean).join(" · ");
}

export function audienceWords(count) {
    if (count === undefined) return "";
    return count === 1 ? "1 person can see you" : `${count} people can see you`;
}

export function peopleWords(count) {
    return count === 1 ? "1 person" : `${count} people`;
}

export const liveCountWords = (count) => `${count} live`;
export const visibleWords = (place, until) => `In ${place} until ${until}`;
export const lateWords = (ago) => `Others see where you were ${ago}.`;
// A name stands apart from the words around it, whichever way it is written.
const apart = (name) => `\u2068${name}\u2069`;
export const updatedByWords = (names) => `${words.updatedBy} ${names.map(apart).join(", ")}`;
export const setUpWords = (app) => `Set up ${app}`;
export const copiedWords = (label) => `${label}: copied.`;
export const disconnectWords = (name) => `${words.disconnect} ${apart(name)}`;
export const sharingInWords = (place) => `Sharing in ${place}`;
export const sharingInChatsWords = (count) => `Sharing in ${count} chats`;
export const sharingHere = "Sharing here";
export const endedNotice = (name) => `${name}: live location ended`;
export const showOnMapWords = (name, live) => `${live ? "Live location" : "Location"} of ${name}. Show on the map`;
export const followNameWords = (name) => `Follow ${name}`;
export const followWords = (name) => `Following ${name}`;

const dayMillis = 86_400_000;

function daysBetween(millis, nowMillis) {
    const start = (t) => new Date(t).setHours(0, 0, 0, 0);
    return Math.round((start(nowMillis) - start(millis)) / dayMillis);
}

/** Heading of a day in the conversation: Today, Yesterday, else the date. */
export function dayWords(millis, nowMillis, locale) {
    const days = daysBetween(millis, nowMillis);
    if (days === 0) return "Today";
    if (days === 1) return "Yesterday";
    const sameYear = new Date(millis).getFullYear() === new Date(nowMillis).getFullYear();
    const options = { day: "numeric", month: "long", ...(sameYear ? { weekday: "long" } : { year: "numeric" }) };
    return dateFormat(locale, options).format(millis);
}

/** Time in a list: the clock today, then "Yesterday", the weekday for a week, the date before that. */
export function listTimeWords(millis, nowMillis, locale) {
    const days = daysBetween(millis, nowMillis);
    if (days <= 0) return clockWords(millis, locale);
    if (days === 1) return "Yesterday";
    if (days < 7) return dateFormat(locale, { weekday: "short" }).format(millis);
    return dateFormat(locale, { dateStyle: "short" }).format(millis);
}

/** What the button says that shows where I am: its state, and what a tap does. canTurn: whether the next step turns the map. */
export function locateButtonWords(state, canTurn) {
    switch (state) {
        case "waiting": return "Looking for your position. Tap to cancel";
        case "followNorth": return canTurn ? "The map follows you. Tap to turn it with you" : "The map follows you. Tap to let go";
        case "followHeading": return "The map follows and turns with you. Tap to let go";
        case "free": return "Your position is shown. Tap to follow it";
        case "denied": return "Location is off for this site. Tap to try again";
        case "unsupported":
        case "insecure": return "There is no location here. Tap to see why";
        case "lost": return "Your position is not known. Tap to try again";
        case "silent": return "No answer about your position. Tap to try again";
        default: return words.locateMe;
    }
}

/** What stands in the way of showing where I am, and what to do; "" where nothing does. */
export function locateHelp(state) {
    switch (state) {
        case "waiting": return words.waitingForGps;
        case "denied": return words.locationOff;
        case "insecure": return words.locationInsecure;
        case "unsupported": return words.locationUnsupported;
        case "lost": return words.locationLost;
        case "silent": return words.locationSilent;
        default: return "";
    }
}

/** Why there is no page, and what to do. */
export const engineTroubleWords = (hasWebAssembly) => (hasWebAssembly ? words.noEngineMore : words.noEngineEver);

/** What keeps the position from coming, by the locator's state; "" when nothing does. `isSecure`: https or this machine. */
export function locatorWords(state, isSecure) {
    switch (state) {
        case "denied": return words.locationOff;
        case "impossible": return isSecure ? words.locationUnsupported : words.locationInsecure;
        case "waiting": return words.waitingForGps;
        default: return "";
    }
}
