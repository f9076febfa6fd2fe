import * as __WEBPACK_EXTERNAL_MODULE__undici_js_51706d35__ from "./undici.js";
/******/ // The require scope
/******/ var __nccwpck_require__ = {};
/******/ 
/************************************************************************/
/******/ /* webpack/runtime/define property getters */
/******/ (() => {
/******/ 	// define getter functions for harmony exports
/******/ 	__nccwpck_require__.d = (exports, definition) => {
/******/ 		for(var key in definition) {
/******/ 			if(__nccwpck_require__.o(definition, key) && !__nccwpck_require__.o(exports, key)) {
/******/ 				Object.defineProperty(exports, key, { enumerable: true, get: definition[key] });
/******/ 			}
/******/ 		}
/******/ 	};
/******/ })();
/******/ 
/******/ /* webpack/runtime/hasOwnProperty shorthand */
/******/ (() => {
/******/ 	__nccwpck_require__.o = (obj, prop) => (Object.prototype.hasOwnProperty.call(obj, prop))
/******/ })();
/******/ 
/************************************************************************/
var __webpack_exports__ = {};

// EXPORTS
__nccwpck_require__.d(__webpack_exports__, {
  O: () => (/* reexport */ createUndiciTransport)
});

;// CONCATENATED MODULE: external "./undici.js"
var x = (y) => {
	var x = {}; __nccwpck_require__.d(x, y); return x
} 
var y = (x) => (() => (x))
const external_undici_js_namespaceObject = x({ ["EnvHttpProxyAgent"]: () => (__WEBPACK_EXTERNAL_MODULE__undici_js_51706d35__.EnvHttpProxyAgent), ["Pool"]: () => (__WEBPACK_EXTERNAL_MODULE__undici_js_51706d35__.Pool) });
;// CONCATENATED MODULE: ./packages/client/lib/transport.js
/**
 * One HTTP exchange: a request out, a whole reply of bounded size in; and what is known where there is none.
 * Two files carry it: undici-transport.ts in the library and wherever there is a proxy, node-transport.ts in the step.
 * Deliberately not here: redirects, retries, JSON and the meaning of a status.
 */
/** No whole reply came back. `sent` is false only if certainly not one byte of the request was handed to a connection. */
class WireError extends Error {
    name = 'WireError';
    sent;
    constructor(sent, cause) {
        super(cause instanceof Error ? cause.message : String(cause), { cause });
        this.sent = sent;
    }
}
/** By what it is, not by its class, of which the step's bundles have a copy each. */
function isWireError(error) {
    return error instanceof Error && error.name === 'WireError' && 'sent' in error;
}
/** A connection that is not made in this time is unlikely to be made later; what is left of the budget goes to a retry. */
const CONNECT_TIMEOUT_MS = 5_000;
/** @returns the proxy variable for this address: lower case first, as curl and undici do; https falls back to http as in undici */
function readProxyVariable(origin, env) {
    const http = env.http_proxy || env.HTTP_PROXY;
    return origin.protocol === 'https:' ? env.https_proxy || env.HTTPS_PROXY || http : http;
}
/** The body of a reply as it comes, up to the length that was asked for. */
class ReplyBody {
    #bytesMax;
    #chunks = [];
    #bytes = 0;
    constructor({ replyBytesMax }) {
        this.#bytesMax = replyBytesMax;
    }
    /** @throws Error where it is longer */
    add(chunk) {
        this.#bytes += chunk.length;
        if (this.#bytes > this.#bytesMax)
            throw new Error(`the reply is longer than ${this.#bytesMax} bytes`);
        this.#chunks.push(chunk);
    }
    toBuffer() {
        return Buffer.concat(this.#chunks);
    }
}

;// CONCATENATED MODULE: ./packages/client/lib/undici-transport.js
/**
 * The exchange over undici, with a proxy where the environment names one.
 */


/**
 * @param origin scheme, host and port that every request goes to
 * @param env where the proxy variables are looked up: `https_proxy`, `http_proxy`, `no_proxy` in either case
 */
function createUndiciTransport(origin, env = process.env) {
    let dispatcher;
    return {
        send(request) {
            dispatcher ??= createDispatcher(origin, env);
            return new Exchange(request).run(dispatcher);
        },
        async close() {
            await dispatcher?.destroy();
        },
    };
}
function createDispatcher(origin, env) {
    // The budget of the call bounds headers and body; undici's own five minutes would only hide it.
    const options = { headersTimeout: 0, bodyTimeout: 0 };
    const connect = { timeout: CONNECT_TIMEOUT_MS };
    return readProxyVariable(origin, env)
        ? new external_undici_js_namespaceObject.EnvHttpProxyAgent({ ...options, requestTls: connect, proxyTls: connect })
        : new external_undici_js_namespaceObject.Pool(origin.origin, { ...options, connect });
}
/** One request on its way, and what has come back of its reply so far. */
class Exchange {
    #request;
    #reply;
    #resolve = () => undefined;
    #reject = () => undefined;
    #body;
    #controller;
    #isSent = false;
    #status = 0;
    #headers = {};
    constructor(request) {
        this.#request = request;
        this.#body = new ReplyBody(request);
        this.#reply = new Promise((resolve, reject) => {
            this.#resolve = resolve;
            this.#reject = reject;
        });
    }
    async run(dispatcher) {
        const { method, url, headers, body = null, signal } = this.#request;
        const abort = () => this.#fail(signal.reason);
        if (signal.aborted)
            abort();
        else {
            signal.addEventListener('abort', abort);
            const target = { origin: url.origin, path: url.pathname + url.search, method: method };
            dispatcher.dispatch({ ...target, headers, body }, this);
        }
        try {
            return await this.#reply;
        }
        finally {
            signal.removeEventListener('abort', abort);
        }
    }
    /** Called once a connection has been made and right before the request is written to it. */
    onRequestStart(controller) {
        this.#controller = controller;
        if (this.#request.signal.aborted)
            controller.abort(this.#request.signal.reason);
        else
            this.#isSent = true;
    }
    onResponseStart(_, status, headers) {
        this.#status = status;
        this.#headers = headers;
    }
    onResponseData(_, chunk) {
        try {
            this.#body.add(chunk);
        }
        catch (error) {
            this.#fail(error);
        }
    }
    onResponseEnd() {
        this.#resolve({ status: this.#status, headers: this.#headers, body: this.#body.toBuffer() });
    }
    onResponseError(_, error) {
        this.#fail(error);
    }
    #fail(cause) {
        this.#reject(new WireError(this.#isSent, cause));
        this.#controller?.abort(cause instanceof Error ? cause : new Error(String(cause)));
    }
}

;// CONCATENATED MODULE: ./lib/action/proxy.js
/** The transport for runners with a proxy; a bundle of its own, because undici takes as long to load as the whole request. */


var __webpack_exports__createUndiciTransport = __webpack_exports__.O;
export { __webpack_exports__createUndiciTransport as createUndiciTransport };
