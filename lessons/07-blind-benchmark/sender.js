import { serveOrders } from '../../runner/process/child.js'
import { compare } from './run.js'

/** The process that carries out load plans, apart from the one that grades. */
serveOrders({ open: () => {}, compare })
