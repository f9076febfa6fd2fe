export * from '../proxy.js'
