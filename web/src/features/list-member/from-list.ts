/** History state of a member's page that was opened from the list: after deleting, it goes back to that list page. */
export const FROM_LIST = { from: 'list' };

export const isFromList = (state: unknown) =>
  typeof state === 'object' && state !== null && 'from' in state && state.from === FROM_LIST.from;
