/**
 * Property tests try the same cases each time, so that a run says something about a change and not about luck. To try others,
 * give a number, or `random`: `FAST_CHECK_SEED=random npm test -- packages/apl`. A failure prints its seed either way.
 */
import fc from 'fast-check'

const { FAST_CHECK_SEED: given = '20261121' } = process.env
if (given !== 'random') fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(given) })
