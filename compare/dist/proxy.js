export * from '../../dist/proxy.js'
