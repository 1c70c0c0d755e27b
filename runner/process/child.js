/** The door for processes of ours that a run starts: nothing but what they need, since every run waits for them. */
export { serveOrders } from './serve-orders.js'
