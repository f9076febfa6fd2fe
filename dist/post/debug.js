module.exports = require('../debug.js')
