/**
 * The dashboard's page and its files, as `scripts/dashboard.js` built them. The page loads nothing that is not served here and
 * runs no script but its own; what it shows, it asks the endpoints for with the token of the person who signed in, so these routes are open.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { quoted, ServiceError } from '@deployment-annotations/runtime/errors'
import helmet from '@fastify/helmet'
import files from '@fastify/static'
import type { FastifyInstance, FastifyReply } from 'fastify'

/** Every view of the page; the page itself finds out which one is meant. */
const PAGES = ['/', '/views', '/annotations', '/monitors', '/datasets', '/integrations', '/tokens'] as const

const POLICY = {
  useDefaults: false,
  directives: {
    'default-src': ["'none'"],
    'script-src': ["'self'"],
    'style-src': ["'self'"],
    'img-src': ["'self'"],
    'connect-src': ["'self'"],
    'base-uri': ["'none'"],
    'form-action': ["'none'"],
    'frame-ancestors': ["'none'"],
  },
} as const

/** Names that the build gives: without folders, and not hidden. */
const FILE_NAME = /^[\w-]+(?:\.[\w-]+)+$/

/** @param directory where the built page is */
export async function addDashboard(app: FastifyInstance, directory: string): Promise<void> {
  await app.register(async (scope) => {
    await scope.register(helmet, {
      contentSecurityPolicy: POLICY,
      frameguard: { action: 'deny' },
      // The proxy that terminates TLS decides on this for the whole host.
      strictTransportSecurity: false,
    })
    await scope.register(files, { root: directory, serve: false, cacheControl: false, acceptRanges: false })
    // These protect writes, and here is nothing to write. What sends files would refuse with an error that is not of our form.
    scope.addHook('onRequest', async ({ headers }) => {
      delete headers['if-match']
      delete headers['if-unmodified-since']
    })

    const sendPage = (reply: FastifyReply) => {
      if (!existsSync(join(directory, 'index.html'))) throw notBuilt(directory)
      return reply.header('cache-control', 'no-cache').sendFile('index.html')
    }
    for (const url of PAGES) {
      scope.get(url, {
        config: { open: true },
        schema: { hide: true },
        handler: async (_request, reply: FastifyReply) => sendPage(reply),
      })
    }
    // Of an address that is none, the page tells a person so; a client is told as everywhere.
    scope.get<{ Params: { nothing: string } }>('/:nothing', {
      config: { open: true },
      schema: { hide: true },
      handler: async ({ headers, params }, reply) => {
        if (!headers.accept?.includes('text/html')) {
          throw new ServiceError('not_found', `${quoted(`/${params.nothing}`)} not found: this service has nothing there`)
        }
        return sendPage(reply.code(404))
      },
    })
    scope.get<{ Params: { file: string } }>('/assets/:file', {
      config: { open: true },
      schema: { hide: true },
      handler: async (request, reply) => {
        const { file } = request.params
        if (!FILE_NAME.test(file) || !existsSync(join(directory, 'assets', file))) {
          throw new ServiceError('not_found', `file ${quoted(file)} not found`)
        }
        // Their names carry a hash of what is in them.
        const kept = file.endsWith('.svg') ? 'no-cache' : 'public, max-age=31536000, immutable'
        return reply.header('cache-control', kept).sendFile(file, join(directory, 'assets'))
      },
    })
  })
}

function notBuilt(directory: string): ServiceError {
  return new ServiceError('unavailable', 'the dashboard is not built: run `npm run build:dashboard`', {
    cause: new Error(`there is no ${join(directory, 'index.html')}`),
  })
}
