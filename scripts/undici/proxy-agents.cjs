/**
 * undici's agents for proxies; evaluated when the first one is made, because most runners have no proxy.
 */

/** The package's entry point gives every dispatcher `connect`, which the proxy's tunnel needs. */
function make(Agent, options) {
  require('undici/lib/dispatcher/dispatcher.js').prototype.connect = require('undici/lib/api/api-connect.js')
  return new Agent(options)
}

exports.EnvHttpProxyAgent = function EnvHttpProxyAgent(options) {
  return make(require('undici/lib/dispatcher/env-http-proxy-agent.js'), options)
}
exports.ProxyAgent = function ProxyAgent(options) {
  return make(require('undici/lib/dispatcher/proxy-agent.js'), options)
}
