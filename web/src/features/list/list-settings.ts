import type { EmailList, ListChange, NewList } from '../../../../shared/list.ts';

/** The fields of a list that its form edits. */
export const settingsOf = ({
  name,
  domain,
  sender_name,
  sender_address,
  unsubscribe_text,
  active,
}: EmailList): NewList => ({ name, domain, sender_name, sender_address, unsubscribe_text, active });

/** Only the fields that differ from the list: saving them does not overwrite changes of other users. */
export function changesOf(list: EmailList, settings: NewList): ListChange {
  const current: [string, unknown][] = Object.entries(settingsOf(list));
  const before = new Map(current);
  return Object.fromEntries(Object.entries(settings).filter(([field, value]) => before.get(field) !== value));
}
