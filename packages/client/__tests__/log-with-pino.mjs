/** A program that logs with pino: `node log-with-pino.mjs OPTIONS`, the options of the transport as JSON. In JavaScript, for every Node. */
import pino from 'pino'

const log = pino({ transport: { target: '@deployment-annotations/client/pino', options: JSON.parse(process.argv[2] ?? '') } })
log.info({ order: 7 }, 'paid')
log.child({ part: 'cart' }).error(new Error('boom'), 'lost')
for (let n = 0; n < 500; n++) log.warn({ n }, 'again')
