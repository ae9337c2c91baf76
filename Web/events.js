// Drives the socket as the machine says. Owns the WebSocket; hands parsed frames to `onEvent`.
import { ConnectionMachine } from "./connection.js";
import { monotonicNow } from "./clock.js";

export class Events {
    #machine = new ConnectionMachine();
    #socket = null;
    #timer = null;
    #nextId = 1;

    /** hooks: onEvent(frame), onState(state), onConverge(), checkToken() → Promise<boolean: refused> */
    constructor(token, hooks) {
        this.token = token;
        this.hooks = hooks;
    }

    get state() {
        return this.#machine.state;
    }

    start() {
        this.#run(this.#machine.started(monotonicNow()));
        this.#timer = setInterval(() => this.#run(this.#machine.ticked(monotonicNow())), 1000);
        const wake = () => this.#run(this.#machine.woken(monotonicNow()));
        addEventListener("online", wake);
        addEventListener("pageshow", (event) => event.persisted && wake());
        document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && wake());
    }

    expire() {
        this.#run(this.#machine.tokenRefused());
    }

    renew() {
        this.#run(this.#machine.renewed(monotonicNow()));
    }

    send(op, fields = {}) {
        if (this.#socket?.readyState !== WebSocket.OPEN) return false;
        this.#socket.send(JSON.stringify({ op, id: this.#nextId++, ...fields }));
        return true;
    }

    #run(actions) {
        for (const action of actions) this.#perform(action);
        this.hooks.onState(this.#machine.state);
        if (this.#machine.state === "expired") clearInterval(this.#timer);
    }

    #perform(action) {
        switch (action.do) {
            case "connect": return this.#connect();
            case "close": return this.#abandon();
            case "ping": return this.send("ping");
            case "converge": return this.hooks.onConverge();
            case "checkToken": return this.hooks.checkToken().then((refused) => refused && this.expire());
            case "wait": return setTimeout(() => this.#run(this.#machine.ticked(monotonicNow())), action.millis + 1);
        }
    }

    #connect() {
        this.#abandon();
        const url = new URL("/v1/events", location.href);
        url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
        url.hash = "";
        const socket = new WebSocket(url, ["yonder.v1", `bearer.${this.token}`]);
        this.#socket = socket;
        socket.onmessage = (message) => this.#socket === socket && this.#received(message.data);
        socket.onclose = (event) => {
            if (this.#socket !== socket) return;
            this.#socket = null;
            this.#run(this.#machine.closed(monotonicNow(), event.code));
        };
    }

    #received(text) {
        let frame;
        try {
            frame = JSON.parse(text);
        } catch {
            return;
        }
        this.#machine.heard(monotonicNow());
        this.hooks.onEvent(frame);
        if (frame.event === "hello") this.#run(this.#machine.hello(monotonicNow(), frame.heartbeat_seconds));
    }

    /** Lets go of a socket without waiting for its close: a dead peer may never answer. */
    #abandon() {
        const socket = this.#socket;
        this.#socket = null;
        if (!socket) return;
        socket.onmessage = socket.onclose = null;
        socket.close();
    }
}
