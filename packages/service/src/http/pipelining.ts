/**
 * One request of a connection is under way at a time. A client may send the next ones before it has the first answer; their bytes wait
 * unparsed, and the connection is not read, until that answer has left the process. Node would parse all of them at once, and since
 * hooks answer later, its own limit for such clients never applies: half a megabyte of short requests was seen to hold a service for
 * a minute, and answers that nobody read to fill its memory.
 * Of a body whose chunks are tiny, few are parsed in each turn of the event loop, and none while others wait to be read: each becomes an
 * object that takes a hundred times as much as its one byte.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { PREFACE } from './http2.ts'

/**
 * Must be called after Node's own listener of new connections is there, which is the case once the server exists.
 * @param takeHttp2 takes over a connection that begins as one of HTTP/2
 */
export function takeOneAtATime(server: Server, takeHttp2: (socket: Socket, read: Buffer) => void): void {
  const connections = new WeakMap<Socket, Connection>()
  server.on('connection', (socket) => connections.set(socket, new Connection(socket, takeHttp2)))
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

class Connection {
  readonly #socket: Socket
  /** Node's parser, which had listened for the bytes of this connection. */
  readonly #parsers: ((bytes: Buffer) => void)[]
  /** Bytes that came and are not parsed: what one reading of the socket gave, and a little more where Node went on reading. */
  readonly #unparsed: Buffer[] = []
  /** The request that was begun last. */
  #request: Pick<IncomingMessage, 'complete' | 'readableLength'> = { complete: true, readableLength: 0 }
  #isAnswered = true
  /** How many bytes of its body are to come; `undefined` where only its end shows that. */
  #bodyBytesLeft: number | undefined
  /** The last bytes of headers whose end has not come yet. */
  #tail = Buffer.alloc(0)
  #isParsing = false
  /** How many pieces the parser made of the body. */
  #pieces = 0
  /** Whether the pieces that were made last are to be read before more are made. */
  #isHeld = false
  #goesOn: NodeJS.Immediate | undefined
  /** Called where the connection is one of HTTP/2; known once its first bytes are there. */
  #takeHttp2: ((socket: Socket, read: Buffer) => void) | undefined

  constructor(socket: Socket, takeHttp2: (socket: Socket, read: Buffer) => void) {
    this.#socket = socket
    this.#takeHttp2 = takeHttp2
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
    if (this.#bodyBytesLeft === undefined) this.#watchPieces(request)
    // It closes when all of it was handed to the system, or its caller has gone.
    response.once('close', () => {
      this.#isAnswered = true
      this.#parse()
    })
  }

  release(): void {
    this.#socket.off('data', this.#take)
    this.#unparsed.length = 0
  }

  readonly #take = (bytes: Buffer): void => {
    this.#unparsed.push(bytes)
    const takeHttp2 = this.#takeHttp2
    if (takeHttp2) {
      // No method of HTTP/1.1 begins as the preface does.
      const read = this.#unparsed.length === 1 ? bytes : Buffer.concat(this.#unparsed)
      const isPreface =
        PREFACE.compare(read, 0, Math.min(read.length, PREFACE.length), 0, Math.min(read.length, PREFACE.length)) === 0
      if (isPreface && read.length < PREFACE.length) return
      this.#takeHttp2 = undefined
      if (isPreface) {
        this.release()
        takeHttp2(this.#socket, read)
        return
      }
    }
    this.#parse()
  }

  #parse(): void {
    if (this.#isParsing) return
    this.#isParsing = true
    while (this.#unparsed.length > 0 && this.#mayParse()) {
      const bytes = this.#unparsed.shift() as Buffer
      const length = this.#request.complete ? this.#lengthOfHead(bytes) : this.#lengthOfBody(bytes)
      if (length < bytes.length) this.#unparsed.unshift(bytes.subarray(length))
      const before = this.#pieces
      for (const parse of this.#parsers) parse.call(this.#socket, bytes.subarray(0, length))
      // Of a body that is answered already, nothing is made that could be counted.
      const mayBeTiny = this.#isAnswered && !this.#request.complete && length < bytes.length
      if (mayBeTiny || this.#pieces - before >= CHUNKS_AT_ONCE / 2) this.#hold()
    }
    this.#isParsing = false
    if (!this.#socket.writable) this.#unparsed.length = 0
    if (this.#unparsed.length > 0 || this.#isHeld) this.#socket.pause()
    else if (this.#isAnswered && this.#socket.isPaused()) this.#socket.resume()
  }

  #mayParse(): boolean {
    return this.#socket.writable && !this.#isHeld && (this.#isAnswered || !this.#request.complete)
  }

  #watchPieces(request: IncomingMessage): void {
    const { push, read, _read: readSocket } = request
    request.push = (...piece) => {
      this.#pieces++
      return push.apply(request, piece)
    }
    request.read = (size) => {
      if (this.#isHeld) this.#goOnLater()
      return read.call(request, size)
    }
    request._read = (size) => {
      if (this.#unparsed.length === 0) readSocket.call(request, size)
    }
  }

  /** Parses no more before the next turn of the event loop, and before pieces that wait are read. */
  #hold(): void {
    this.#isHeld = true
    this.#goOnLater()
  }

  #goOnLater(): void {
    this.#goesOn ??= setImmediate(this.#goOn)
  }

  readonly #goOn = (): void => {
    this.#goesOn = undefined
    // A piece has a byte at least.
    if (!this.#isHeld || (this.#request.readableLength > CHUNKS_AT_ONCE && this.#socket.writable)) return
    this.#isHeld = false
    this.#parse()
    // Where its bytes came to an end, the body is read on.
    if (!this.#isHeld && this.#unparsed.length === 0 && this.#socket.isPaused()) this.#socket.resume()
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
