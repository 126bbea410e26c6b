import type { EmailList, ListChange, NewList } from '../../../../shared/list.ts';

/** What the form of a list is about. */
export const settingsOf = ({
  name,
  domain,
  sender_name,
  sender_address,
  unsubscribe_text,
  active,
}: EmailList): NewList => ({ name, domain, sender_name, sender_address, unsubscribe_text, active });

/** What a form changes of a list, and no more: what others change meanwhile stays as they left it. */
export function changesOf(list: EmailList, settings: NewList): ListChange {
  const known: [string, unknown][] = Object.entries(settingsOf(list));
  const kept = new Map(known);
  return Object.fromEntries(Object.entries(settings).filter(([field, value]) => kept.get(field) !== value));
}
