import { useState } from 'react';
import type { Member } from './member-action.ts';

/** The selected members, which may be on other pages. */
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
