/** The variable through which a process learns where its orders come from: `PORT TOKEN`. */
export const recorderName = 'MAKE_IT_FAST_RECORDER'
