/**
 * Stands in for the service where that cannot run: its embedded engine has no build for Windows. It keeps annotations in
 * memory and answers what the step asks: create, list, get, change. It takes any token, prints the line that the service
 * prints when it is ready, and needs no package. Deliberately not here: rules, errors and everything else of the service.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const stored: Record<string, unknown>[] = []

const server = createServer(async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const text = Buffer.concat(chunks).toString()
  const { status, body } = answer(request.method ?? '', request.url ?? '', text === '' ? {} : JSON.parse(text))
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
})

function answer(method: string, path: string, sent: object): { status: number; body: unknown } {
  const id = /^\/v2\/annotations\/([^/?]+)$/.exec(path)?.[1]
  if (id === undefined) {
    if (method === 'GET') return { status: 200, body: stored }
    const created = { id: `ann_${stored.length + 1}`, ...sent }
    stored.push(created)
    return { status: 201, body: created }
  }
  const found = stored.find((annotation) => annotation.id === id)
  if (found === undefined) return { status: 404, body: { code: 404, message: 'annotation not found' } }
  return { status: 200, body: Object.assign(found, method === 'PUT' ? sent : {}) }
}

server.listen(0, '127.0.0.1', () => {
  console.log(`annotation service stand-in ready at http://127.0.0.1:${(server.address() as AddressInfo).port}`)
})
