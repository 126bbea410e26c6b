/** What the history keeps of a member that was opened from the list: going back leads to the same place in it. */
export const FROM_LIST = { from: 'list' };

export const isFromList = (state: unknown) =>
  typeof state === 'object' && state !== null && 'from' in state && state.from === FROM_LIST.from;
