import { useState } from 'react';
import type { Member } from './member-action.ts';

/** The members that are selected, on whichever pages they are. */
export function useSelection() {
  const [selected, setSelected] = useState<ReadonlyMap<string, Member>>(new Map());

  const select = (members: Member[], isSelected: boolean) =>
    setSelected(current => {
      const next = new Map(current);
      for (const member of members) {
        if (isSelected) next.set(member.id, member);
        else next.delete(member.id);
      }
      return next;
    });

  return { selected, select, clear: () => setSelected(new Map()) };
}
