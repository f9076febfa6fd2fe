/**
 * The repositories below a folder on a loopback port, as Git's own program serves them over HTTP: runners that clone actions ask a
 * server. To be read only.
 */
import { spawn } from 'node:child_process'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { type Listening, listen } from './listen.ts'

export function serveRepositories(folder: string): Promise<Listening> {
  return listen(createServer((request, response) => answer(folder, request, response)))
}

/** Runs `git http-backend`, whose interface is CGI: the request in variables and its input, headers before the body in its output. */
async function answer(folder: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname, search } = new URL(request.url ?? '/', 'http://127.0.0.1')
  const env = {
    PATH: process.env.PATH,
    GIT_PROJECT_ROOT: folder,
    GIT_HTTP_EXPORT_ALL: '1',
    PATH_INFO: pathname.replace(/^(\/[^/]+\/[^/]+)/, '$1/.git'),
    QUERY_STRING: search.slice(1),
    REQUEST_METHOD: request.method,
    CONTENT_TYPE: request.headers['content-type'],
    HTTP_CONTENT_ENCODING: request.headers['content-encoding'],
    GIT_PROTOCOL: request.headers['git-protocol'] as string | undefined,
  }
  const backend = spawn('git', ['http-backend'], { env, stdio: ['pipe', 'pipe', 'inherit'] })
  request.pipe(backend.stdin)
  const output = await buffer(backend.stdout)
  const end = output.indexOf('\r\n\r\n')
  for (const line of output.subarray(0, end).toString().split('\r\n')) {
    const [name = '', value = ''] = line.split(/: (.*)/)
    if (name === 'Status') response.statusCode = Number.parseInt(value, 10)
    else response.setHeader(name, value)
  }
  response.end(output.subarray(end + 4))
}
