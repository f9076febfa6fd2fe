/**
 * One request of a connection is under way at a time. A client may send the next ones before it has the first answer; their bytes wait
 * in the socket, which is paused, until that answer has left the process. Node would parse all of them at once, and since hooks answer
 * later, its own limit for such clients never applies: half a megabyte of short requests was seen to hold a service for a minute, and
 * answers that nobody read to fill its memory.
 * Of a body whose chunks are tiny, few are parsed in each turn of the event loop, and none while others wait to be read: each becomes an
 * object that takes a hundred times as much as its one byte.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Must be called after Node's own listener of new connections is there, which is the case once the server exists. */
export function takeOneAtATime(server: Server): void {
  const connections = new WeakMap<Socket, Connection>()
  server.on('connection', (socket) => connections.set(socket, new Connection(socket)))
  server.prependListener('request', (request, response) => connections.get(request.socket)?.begin(request, response))
  // The socket belongs to whoever answers this from then on.
  server.prependListener('connect', ({ socket }) => connections.get(socket)?.release())
}

/** Ends the headers of every request, and chunks of a body. */
const END = '\r\n\r\n'
/** Ends the length of a chunk, and the chunk. */
const LINE_END = '\r\n'
/** How many chunks of a body are parsed at once at most; a tenth of a millisecond of work. */
const CHUNKS_AT_ONCE = 64
/** How often it is checked whether the chunks before have been read. */
const CHECK_MS = 10

class Connection {
  readonly #socket: Socket
  /** Node's parser, which had listened for the bytes of this connection. */
  readonly #parsers: ((bytes: Buffer) => void)[]
  /** The request that was begun last. */
  #request: Pick<IncomingMessage, 'complete' | 'readableLength'> = { complete: true, readableLength: 0 }
  #isAnswered = true
  /** How many bytes of its body are to come; `undefined` where only its end shows that. */
  #bodyBytesLeft: number | undefined
  /** The last bytes of headers whose end has not come yet. */
  #tail = Buffer.alloc(0)
  /** Set while the next chunks wait for those before. */
  #later: NodeJS.Timeout | undefined

  constructor(socket: Socket) {
    this.#socket = socket
    this.#parsers = socket.listeners('data') as ((bytes: Buffer) => void)[]
    // Node parses past all listeners until there is one that is not its own.
    socket.on('data', this.#take)
    for (const parser of this.#parsers) socket.off('data', parser)
  }

  begin(request: IncomingMessage, response: ServerResponse): void {
    this.#request = request
    this.#isAnswered = false
    const bytes = Number(request.headers['content-length'])
    this.#bodyBytesLeft = Number.isSafeInteger(bytes) ? bytes : undefined
    // It closes when all of it was handed to the system, or its caller has gone.
    response.once('close', () => {
      this.#isAnswered = true
      this.#socket.resume()
    })
  }

  release(): void {
    this.#socket.off('data', this.#take)
  }

  /** Whether more bytes may be parsed: of the body that is under way, or of the request after an answer. */
  get #mayParse(): boolean {
    return this.#later === undefined && (this.#isAnswered || !this.#request.complete)
  }

  readonly #take = (bytes: Buffer): void => {
    if (!this.#socket.writable) return
    const isBody = !this.#request.complete
    const length = !this.#mayParse ? 0 : isBody ? this.#lengthOfBody(bytes) : this.#lengthOfHead(bytes)
    const isCut = length < bytes.length
    if (isCut) {
      this.#socket.pause()
      this.#socket.unshift(bytes.subarray(length))
    }
    if (length === 0) return
    for (const parse of this.#parsers) parse.call(this.#socket, bytes.subarray(0, length))
    if (!isCut || !this.#socket.listeners('data').includes(this.#take)) return
    if (isBody && !this.#request.complete) this.#later = setTimeout(this.#goOn)
    else if (this.#mayParse) this.#socket.resume()
  }

  readonly #goOn = (): void => {
    // A piece has a byte at least.
    const isRead = this.#request.readableLength <= CHUNKS_AT_ONCE || !this.#socket.writable
    this.#later = isRead ? undefined : setTimeout(this.#goOn, CHECK_MS)
    if (isRead) this.#socket.resume()
  }

  /** @returns how many of the bytes belong to the headers of the next request */
  #lengthOfHead(bytes: Buffer): number {
    const tail = this.#tail
    const across = tail.length === 0 ? -1 : Buffer.concat([tail, bytes.subarray(0, END.length - 1)]).indexOf(END)
    const end = across === -1 ? bytes.indexOf(END) : across - tail.length
    this.#tail = end === -1 ? Buffer.concat([tail, bytes.subarray(1 - END.length)]).subarray(1 - END.length) : Buffer.alloc(0)
    return end === -1 ? bytes.length : end + END.length
  }

  /** @returns how many of the bytes belong to the body at most, so that not many requests follow among them */
  #lengthOfBody(bytes: Buffer): number {
    if (this.#bodyBytesLeft === undefined) return this.#lengthOfHead(bytes.subarray(0, lengthOfChunks(bytes)))
    const length = Math.min(bytes.length, this.#bodyBytesLeft)
    this.#bodyBytesLeft -= length
    return length
  }
}

/** @returns how many of the bytes have no more than so many chunks */
function lengthOfChunks(bytes: Buffer): number {
  let end = 0
  for (let line = 0; line < 2 * CHUNKS_AT_ONCE; line++) {
    const at = bytes.indexOf(LINE_END, end)
    if (at === -1) return bytes.length
    end = at + LINE_END.length
  }
  return end
}
