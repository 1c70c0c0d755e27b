/** The variable that tells the server's process its own folder. */
export const homeName = 'MAKE_IT_FAST_CLINIC'
