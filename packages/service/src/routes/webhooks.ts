/**
 * The endpoints that hosting platforms call: one per integration, and one per platform, open to any request that is signed. The bytes of a body go to
 * packages/edge unread, because the signature is over them.
 */
import { WEBHOOKS } from '@deployment-annotations/contract/integration'
import { PLATFORMS, type PlatformName } from '@deployment-annotations/contract/platform'
import { expectedProof, PLATFORM_OF } from '@deployment-annotations/edge/platforms/platforms'
import { ServiceError } from '@deployment-annotations/runtime/errors'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { requireUncompressed } from '../http/body.ts'
import { route } from '../http/route.ts'
import type { Parts } from '../parts.ts'

/**
 * Recorded events of GitHub have 7 to 14 KB, and `deployment.payload` may add to that. GitHub sends up to 25 MB, but not for deployments.
 * A stranger's request costs a hash of the body for each secret that is tried: 20 to 50 ms at this size with the most of them.
 */
const BODY_BYTES_MAX = 1_048_576

export async function addWebhookRoutes(app: FastifyInstance, { deployments }: Parts): Promise<void> {
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(
      '*',
      { parseAs: 'buffer', bodyLimit: BODY_BYTES_MAX },
      async (_: FastifyRequest, bytes: Buffer) => bytes,
    )
    for (const platform of PLATFORMS) {
      const onRequest = async (request: FastifyRequest) => refuseUnsigned(request, platform)
      const receive = ({ headers, body }: FastifyRequest, id?: string) =>
        deployments.receive(platform, { headers, body: Buffer.isBuffer(body) ? body : Buffer.alloc(0) }, id)
      const options = { config: { signature: platform }, onRequest }
      const { all, one } = WEBHOOKS[platform]
      route(scope, all, (request) => receive(request), options)
      route(scope, one, (request) => receive(request, request.params.id), options)
    }
  })
}

/** Refuses a request without a signature before its body is read. */
function refuseUnsigned({ headers }: FastifyRequest, platform: PlatformName): void {
  const names = PLATFORM_OF[platform].proofs.map(({ header }) => header)
  if (!names.some((name) => headers[name.toLowerCase()])) {
    throw new ServiceError('unauthorized', `the request is not signed; expected ${expectedProof(platform)}`, {
      headers: { 'www-authenticate': 'Signature' },
    })
  }
  requireUncompressed({ headers })
}
