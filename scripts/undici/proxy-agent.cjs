/**
 * undici's agent for the proxy variables; evaluated when the first one is made, because most runners have no proxy.
 */
module.exports = function EnvHttpProxyAgent(options) {
  const Agent = require('undici/lib/dispatcher/env-http-proxy-agent.js')
  // The package's entry point gives every dispatcher `connect`, which the proxy's tunnel needs.
  require('undici/lib/dispatcher/dispatcher.js').prototype.connect = require('undici/lib/api/api-connect.js')
  return new Agent(options)
}
