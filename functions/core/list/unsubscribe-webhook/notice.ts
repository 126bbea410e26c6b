import * as user from '#core/account/user.ts';
import { letter, type Mailer } from '#core/mail.ts';
import type { Table } from '#core/storage/table.store.ts';
import { PRODUCT } from '#shared/brand.ts';
import * as list from '../list.ts';
import type { NoticeMessage } from './deliver.ts';
import * as store from './unsubscribe-webhook.store.ts';

type Needs = { table: Table; mailer: Mailer | undefined; linkTo: (listId: string) => string };

const WHY = {
  gone: 'its endpoint answered that it is gone (410)',
  failing: 'no delivery to its endpoint has succeeded for five days',
};

/** Mails one manager, once, that a webhook was switched off. Does nothing if it is active again, or was deleted. */
export async function notify(
  { table, mailer, linkTo }: Needs,
  { notice, user: id }: NoticeMessage,
): Promise<void> {
  if (!mailer) return;
  const webhook = await store.read(table, notice);
  if (!webhook?.switched_off || webhook.active) return;
  const of = await list.lookUp({ table }, notice.organization, notice.list);
  const [person] = await user.findAll({ table }, [id]);
  if (!of || !person || !(await store.claimNotice(table, notice, id))) return;
  const told = letter(`A webhook on ${PRODUCT} was deactivated`, [
    {
      paragraph: `The webhook “${webhook.name}” of the list “${of.name}” was deactivated, since ${WHY[webhook.switched_off.because]}. Nobody is told any more when a member of the list unsubscribes.`,
    },
    { link: linkTo(notice.list), label: 'View webhook' },
    {
      paragraph:
        'Repair the endpoint, activate the webhook, and deliver again what failed. Deliveries are kept for seven days.',
    },
  ]);
  try {
    await mailer.send(person.email, told);
  } catch (error) {
    // The queue delivers the message again, and the letter is sent then.
    await store.releaseNotice(table, notice, id);
    throw error;
  }
}
