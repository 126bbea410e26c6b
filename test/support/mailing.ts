import { newAddress } from './client.ts';
import { newAutomation, newTemplate } from './content.ts';
import { newList } from './list.ts';
import { newMember, type Person } from './member.ts';
import type { Stack } from './stack.ts';

type Wanted = { keyless?: boolean; lists?: number; person?: Person; content?: object };

/** A list that sends one email to each of its members, in the minute of the date in their metadata. */
export async function newMailing(stack: Stack, { keyless, lists: count = 1, person, content }: Wanted = {}) {
  const { call } = stack;
  const owner = person ?? (await newMember(stack));
  const as = { token: owner.token, organization: owner.home.id };
  const now = async () => Date.parse((await stack.fetchJson('GET', '/_local/clock')).body.now);
  const inSeconds = async (seconds: number) => new Date((await now()) + seconds * 1000).toISOString();
  const lists: string[] = [];
  for (let nth = 0; nth < count; nth++) lists.push(await newList(stack, owner, { name: `Readers ${nth}` }));
  const [list = ''] = lists;
  const setKey = (key = 'key-1') =>
    call('PUT /api/email-lists/{list}/mailgun-key', {
      ...as,
      params: { list },
      body: { mailgun_sending_key: key },
    });
  if (!keyless) await setKey();
  const add = async (email: string, metadata: object, to = list) =>
    (await call('POST /api/list-members', { ...as, body: { email_list_id: to, email, metadata } })).body.id;
  // The column must exist before an automation can use it as its trigger.
  await add(newAddress('long.ago'), { due: '2001-01-01T00:00:00Z' });
  const automation = await newAutomation(stack, owner, {
    lists,
    metadata_trigger: 'due',
    every_x_days: 3000,
    stop_after_days: 0,
  });
  await newTemplate(stack, owner, { automation_ids: [automation], ...content });
  return {
    owner,
    as,
    list,
    lists,
    automation,
    setKey,
    add,
    inSeconds,
    async due(email = newAddress('reader'), to = list): Promise<{ email: string; id: string }> {
      return { email, id: await add(email, { due: await inSeconds(60), first_name: 'Ann' }, to) };
    },
    /** The outcomes of the emails in the log of the organization. */
    async log(status?: string): Promise<{ id: string; end: string; recipient: string }[]> {
      const { body } = await call('GET /api/email-sends', { ...as, ...(status && { query: { status } }) });
      return body.data.map((row: Record<string, string>) => ({
        id: row.id,
        end: row.reason ? `${row.status}: ${row.reason}` : row.status,
        recipient: row.recipient_email,
      }));
    },
    shown: async () => (await call('GET /api/email-lists/{list}', { ...as, params: { list } })).body,
  };
}
