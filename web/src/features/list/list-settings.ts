import type * as z from 'zod/mini';
import type { EmailList, NewList } from '#shared/list.ts';

/** The fields of a list that its form edits. */
export const settingsOf = ({
  name,
  public_name,
  domain,
  sender_name,
  sender_address,
  unsubscribe_text,
  time_zone,
  active,
}: EmailList): z.input<typeof NewList> => ({
  name,
  public_name: public_name ?? '',
  domain,
  sender_name,
  sender_address,
  unsubscribe_text,
  time_zone,
  active,
});
