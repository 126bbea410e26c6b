import type { EmailList, NewList } from '../../../../shared/list.ts';

/** The fields of a list that its form edits. */
export const settingsOf = ({
  name,
  domain,
  sender_name,
  sender_address,
  unsubscribe_text,
  active,
}: EmailList): NewList => ({ name, domain, sender_name, sender_address, unsubscribe_text, active });
