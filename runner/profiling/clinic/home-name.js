/** The variable that tells the server's process where it is at home. */
export const homeName = 'MAKE_IT_FAST_CLINIC'
