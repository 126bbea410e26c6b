/** The only clock: everything else is told the time. */
export const now = () => new Date();
