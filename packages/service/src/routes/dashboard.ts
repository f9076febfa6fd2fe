/**
 * The dashboard's page, its files and its help, as `scripts/dashboard.js` built them. The page loads nothing that is not served here, and runs no
 * script but its own. It reads data from the other endpoints with the token of the person who signed in, so these routes are open.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { quoted, ServiceError } from '@deployment-annotations/runtime/errors'
import helmet from '@fastify/helmet'
import files from '@fastify/static'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Parts } from '../parts.ts'

/** The address of every view of the page, which itself finds out which one is meant. */
const PAGES = ['/', '/releases', '/views', '/annotations', '/monitors', '/datasets', '/integrations', '/tokens'] as const

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

/** The help is a page for each document, named without its ending. */
const HELP_NAME = /^[\w-]+$/
const FIRST_HELP = 'dashboard'

/** The names that the build gives to files: without folders, and not hidden. */
const FILE_NAME = /^[\w-]+(?:\.[\w-]+)+$/

/** Anyone may ask for what the page is made of, and the document is of the API alone. */
const OPEN = { config: { open: true }, schema: { hide: true } } as const

export async function addDashboard(app: FastifyInstance, { dashboardDir: directory }: Parts): Promise<void> {
  await app.register(async (scope) => {
    await scope.register(helmet, {
      contentSecurityPolicy: POLICY,
      frameguard: { action: 'deny' },
      // The proxy that terminates TLS decides on this for the whole host.
      strictTransportSecurity: false,
    })
    await scope.register(files, { root: directory, serve: false, preCompressed: true, cacheControl: false, acceptRanges: false })
    // These headers protect writes, and there is nothing to write here. The plugin would refuse them with an error that is not of our form.
    scope.addHook('onRequest', async ({ headers }) => {
      delete headers['if-match']
      delete headers['if-unmodified-since']
    })

    const sendPage = (reply: FastifyReply) => {
      if (!existsSync(join(directory, 'index.html'))) throw notBuilt(directory)
      return reply.header('cache-control', 'no-cache').sendFile('index.html')
    }
    for (const url of PAGES) scope.get(url, OPEN, async (_request, reply) => sendPage(reply))
    // Where there is nothing, a person gets a page that says so, and a client the usual error.
    scope.get<{ Params: { nothing: string } }>('/:nothing', OPEN, async ({ headers, params }, reply) => {
      if (!headers.accept?.includes('text/html')) {
        throw new ServiceError('not_found', `${quoted(`/${params.nothing}`)} not found: this service has nothing there`)
      }
      return sendPage(reply.code(404))
    })
    addHelp(scope, join(directory, 'help'))
    scope.get<{ Params: { file: string } }>('/assets/:file', OPEN, async (request, reply) => {
      const { file } = request.params
      requireFile(join(directory, 'assets'), file, `file ${quoted(file)} not found`)
      // The names of the other files carry a hash of what is in them.
      const cached = file.endsWith('.svg') ? 'no-cache' : 'public, max-age=31536000, immutable'
      return reply.header('cache-control', cached).sendFile(file, join(directory, 'assets'))
    })
  })
}

function addHelp(scope: FastifyInstance, directory: string): void {
  scope.get('/help', OPEN, async (_request, reply) => reply.redirect(`/help/${FIRST_HELP}`))
  scope.get<{ Params: { name: string } }>('/help/:name', OPEN, async (request, reply) => {
    const { name } = request.params
    const file = HELP_NAME.test(name) ? `${name}.html` : name
    requireFile(directory, file, `help page ${quoted(name)} not found: /help lists those there are`)
    return reply.header('cache-control', 'no-cache').sendFile(file, directory)
  })
}

function requireFile(directory: string, file: string, absent: string): void {
  if (!FILE_NAME.test(file) || !existsSync(join(directory, file))) throw new ServiceError('not_found', absent)
}

function notBuilt(directory: string): ServiceError {
  return new ServiceError('unavailable', 'the dashboard is not built: run `npm run build -- dashboard`', {
    cause: new Error(`there is no ${join(directory, 'index.html')}`),
  })
}
