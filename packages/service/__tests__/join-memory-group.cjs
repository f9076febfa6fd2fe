/**
 * The service in a control group (memory-group.ts): in it before anything asks how much memory there is.
 */
'use strict'
require('node:fs').writeFileSync(process.env.MEMORY_GROUP, String(process.pid))
require('../bin/annotation-service.cjs')
