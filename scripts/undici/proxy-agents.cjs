/**
 * undici's agent for proxies; evaluated when the first one is made, because most runners have no proxy. The package's entry point
 * gives every dispatcher `connect`, which the proxy's tunnel needs.
 */
exports.ProxyAgent = function ProxyAgent(options) {
  require('undici/lib/dispatcher/dispatcher.js').prototype.connect = require('undici/lib/api/api-connect.js')
  return new (require('undici/lib/dispatcher/proxy-agent.js'))(options)
}
